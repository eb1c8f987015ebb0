"""The findings of a study in plain sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnable.theory.statements import percent

if TYPE_CHECKING:
    from learnable.studies.study import Study

_PERCENTS = {"accuracy", "balanced_accuracy"}


def points(study: Study, value: float) -> str:
    """Return a score as people write it."""
    if study.plan.metric in _PERCENTS:
        return f"{100.0 * value:.1f}%"
    return f"{value:.4g}"


def headline(study: Study) -> list[str]:
    """Return the verdict in a few sentences: which model, how good, how sure, what to do next.

    Examples
    --------
    >>> from learnable.datasets import load_iris
    >>> from learnable.studies.sentences import headline
    >>> from learnable.studies import Options, Wishes, follow
    >>> found = follow(load_iris(as_frame=True).frame, Wishes("species"), Options(budget=10.0))
    >>> len(headline(found)) >= 4
    True
    """
    choice, verdict = study.choice, study.verdict
    if choice is None or verdict is None:
        nothing = "No learner came through, so nothing can be said about what can be learned."
        return [nothing, *_cut_short(study)]
    line = choice.line(choice.name)
    target = study.problem.wishes.target
    told = [_which(study)]
    told.append(
        f"In cross-validation it scores {points(study, line.mean)} in {_metric(study)} "
        f"({percent(study.plan.confidence)} interval {points(study, line.low)} to "
        f"{points(study, line.high)}); on the {len(verdict.truth):,} rows set aside, asked once, "
        f"{points(study, verdict.score)}."
    )
    if verdict.certificate is not None:
        told.append(verdict.certificate.text)
    told += _apart(study)
    told.append(_next(study, target))
    told += _cut_short(study)
    return told


def _cut_short(study: Study) -> list[str]:
    """Say what is lacking where the plan was not followed to its end."""
    if study.ended == "complete":
        return []
    why = "it was interrupted" if study.ended == "interrupted" else "its time was up"
    counted = f"{study.outcome.repeats} of {study.plan.repeats} repeats are counted"
    return [f"The plan was not followed to its end, because {why}: {counted}."]


def _which(study: Study) -> str:
    choice = study.choice
    line, target = choice.line(choice.name), study.problem.wishes.target
    if line.baseline:
        return f"Nothing was found that predicts {target!r}: only baselines took part."
    if not choice.proven:
        return (
            f"It is not proven that {target!r} can be predicted: the best found, {line.title}, "
            f"does not beat a baseline beyond doubt (probability {line.beats:.3f})."
        )
    return f"{target!r} can be predicted. The model to take is {line.title}."


def _metric(study: Study) -> str:
    return study.plan.metric.replace("neg_", "minus ").replace("_", " ")


def _apart(study: Study) -> list[str]:
    """Say which learners the chosen one can be told apart from."""
    found, choice = study.comparisons, study.choice
    title = choice.line(choice.name).title
    if found is None or title not in found.names:
        return []
    others = [name for name in found.names if name != title]
    alike = [name for name in others if not found.between(title, name).told_apart]
    if not alike:
        return [f"It is told apart from every other learner ({found.method})."]
    return [f"It cannot be told apart from {listed(alike)} ({found.method})."]


def listed(names: list[str]) -> str:
    """Return names as people list them.

    Examples
    --------
    >>> from learnable.studies.sentences import listed
    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _next(study: Study, target: str) -> str:
    """Say what to do next."""
    verdict, choice = study.verdict, study.choice
    beware = [one for one in study.problem.findings if one.weight == "beware"]
    if beware:
        return f"Before it is used: {beware[0].text}. {beware[0].remedy}".strip()
    if not choice.proven:
        return "More rows, or columns that say more, are needed before anything is built on this."
    curve = verdict.curve
    if curve is not None and len(curve.train_sizes) >= 3:
        last, before = curve.test_scores.mean(axis=1)[[-1, -2]]
        if last - before > study.plan.margin:
            return "The learning curve still rises: more rows are likely to help."
        return "The learning curve is flat: more rows of this kind would hardly help."
    return f"Collect the true {target!r} of new rows, and certify again."
