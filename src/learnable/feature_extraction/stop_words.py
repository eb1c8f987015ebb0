"""English words that say little about what a text is about."""

from __future__ import annotations

from typing import Any, Final

from learnable.core.errors import ParameterError

# Articles, pronouns, prepositions, conjunctions, auxiliaries and the commonest adverbs of degree,
# place and time; last, the pieces into which the default pattern cuts contractions.
_WORDS: Final = """
    a an the this that these those some any each every either neither both all no none such
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his
    himself she her hers herself it its itself they them their theirs themselves one oneself
    who whom whose which what whoever whatever whichever something anything nothing everything
    someone anyone everyone nobody somebody anybody everybody
    about above across after against along among around as at before behind below beneath beside
    besides between beyond by despite down during except for from in inside into like near of off
    on onto out outside over per since through throughout till to toward towards under until up
    upon via with within without
    and or but nor so yet if unless although though because while whereas whether than then
    am is are was were be been being have has had having do does did doing done can could may might
    must shall should will would ought cannot
    not very too also just only even still again once ever never always often more most much many
    less least few several other another same own quite rather almost enough else
    here there where when why how now thus hence therefore however further
    don doesn didn isn aren wasn weren hasn haven hadn won wouldn shouldn couldn mustn needn mightn
    shan ain ll ve re
"""
ENGLISH_STOP_WORDS: Final = frozenset(_WORDS.split())


def stop_words_of(stop_words: Any) -> frozenset[Any] | None:
    """Return the set of the words that a ``stop_words`` parameter names (None: no words).

    Examples
    --------
    >>> from learnable.feature_extraction.stop_words import stop_words_of
    >>> "the" in stop_words_of("english"), stop_words_of(["a"])
    (True, frozenset({'a'}))
    """
    if stop_words is None:
        return None
    if isinstance(stop_words, str):
        if stop_words == "english":
            return ENGLISH_STOP_WORDS
        msg = f"not a built-in stop list: {stop_words}"
        raise ParameterError(msg)
    return frozenset(stop_words)
