"""Class priors as people state them: counted, uniform, by label, or as an array."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import ParameterError
from learnable.estimator.params import ArrayLike, Choice, Either


class LabelShares:
    """A dictionary from labels to probabilities."""

    def accepts(self, value: Any) -> bool:
        """Whether the value is such a dictionary."""
        return isinstance(value, dict)

    def __str__(self) -> str:
        return "a dictionary from each label to its probability"


PRIORS = Either(Choice("empirical", "uniform"), LabelShares(), ArrayLike())


def class_priors(
    stated: Any, classes: NDArray[Any], weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the prior probability of each class.

    Parameters
    ----------
    stated : None, "empirical", "uniform", dict or array
        What the user wants; None counts.
    classes : array (K,)
        The labels.
    weight : array (K,)
        Weight of the training rows of each class.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.naive_bayes.priors import class_priors
    >>> class_priors(None, np.array(["a", "b"]), np.array([3.0, 1.0]))
    array([0.75, 0.25])
    """
    if stated is None or (isinstance(stated, str) and stated == "empirical"):
        return np.asarray(weight / weight.sum())
    if isinstance(stated, str):
        return np.full(len(classes), 1.0 / len(classes))
    if isinstance(stated, dict):
        if set(stated) != set(classes.tolist()):
            msg = (
                f"priors must name every class: {classes.tolist()}, not {sorted(map(str, stated))}"
            )
            raise ParameterError(msg)
        stated = [stated[label] for label in classes.tolist()]
    priors = np.asarray(stated, dtype=np.float64)
    if priors.shape != (len(classes),):
        msg = "Number of priors must match number of classes."
        raise ParameterError(msg)
    if not np.isclose(priors.sum(), 1.0):
        msg = "The sum of the priors should be 1."
        raise ParameterError(msg)
    if (priors < 0.0).any():
        msg = "Priors must be non-negative."
        raise ParameterError(msg)
    return priors
