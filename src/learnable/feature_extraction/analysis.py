"""From a document to its terms: the meaning of every parameter, in plain Python.

The compiled way (:mod:`learnable.feature_extraction.numbering`) gives the same terms where it
applies; everything here can be pickled, so that a cluster can run it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from learnable.core.errors import DataError, MissingDependencyError, ParameterError
from learnable.core.warning import warn
from learnable.feature_extraction.characters import strip_accents_ascii, strip_accents_unicode

DEFAULT_PATTERN = r"(?u)\b\w\w+\b"
ACCENTS = {"ascii": strip_accents_ascii, "unicode": strip_accents_unicode}
_SPACES = re.compile(r"\s\s+")


@dataclass(frozen=True)
class Decoder:
    """Turns what a caller gives as a document into a string.

    Examples
    --------
    >>> from learnable.feature_extraction.analysis import Decoder
    >>> Decoder()("naïve".encode())
    'naïve'
    """

    input: str = "content"
    encoding: str = "utf-8"
    decode_error: str = "strict"

    def __call__(self, doc: Any) -> str:
        """Read the document."""
        if self.input == "filename":
            doc = Path(doc).read_bytes()
        elif self.input == "file":
            doc = doc.read()
        if isinstance(doc, bytes):
            doc = doc.decode(self.encoding, self.decode_error)
        if not isinstance(doc, str):
            raise DataError(
                f"{doc!r:.60} is an invalid document, expected byte or unicode string.",
                remedy="Give each document as one string; drop missing ones or put '' there.",
            )
        return doc


@dataclass(frozen=True)
class Analyzer:
    """Decoded, preprocessed, cut into tokens, joined to n-grams: a document's terms.

    A part that is None is left out.

    Examples
    --------
    >>> from learnable.feature_extraction.analysis import Analyzer, Decoder, word_ngrams
    >>> from functools import partial
    >>> Analyzer(Decoder(), str.lower, str.split, partial(word_ngrams, (1, 2)))("To be")
    ['to', 'be', 'to be']
    """

    decode: Callable[[Any], Any]
    preprocess: Callable[[Any], Any] | None = None
    tokenize: Callable[[Any], Any] | None = None
    ngrams: Callable[[Any], Any] | None = None

    def __call__(self, doc: Any) -> Any:
        """Return the terms of a document."""
        doc = self.decode(doc)
        for step in (self.preprocess, self.tokenize, self.ngrams):
            doc = doc if step is None else step(doc)
        return doc


def preprocessed(doc: str, lower: bool = False, accents: Any = None) -> str:
    """Make a document small and take off its accents, as is asked for.

    Examples
    --------
    >>> from learnable.feature_extraction.analysis import preprocessed
    >>> preprocessed("Déjà", lower=True)
    'déjà'
    """
    if lower:
        doc = doc.lower()
    return doc if accents is None else accents(doc)


def preprocessor(lowercase: bool, strip_accents: Any) -> Callable[[str], str]:
    """Return the function that ``lowercase`` and ``strip_accents`` describe.

    Examples
    --------
    >>> from learnable.feature_extraction.analysis import preprocessor
    >>> preprocessor(True, "unicode")("Déjà")
    'deja'
    """
    accents = ACCENTS.get(strip_accents, strip_accents) if strip_accents else None
    return partial(preprocessed, lower=lowercase, accents=accents)


def pattern_tokenizer(token_pattern: Any) -> Callable[[str], list[str]]:
    """Return the function that finds a pattern, or its one group.

    Examples
    --------
    >>> from learnable.feature_extraction.analysis import pattern_tokenizer
    >>> pattern_tokenizer("x(.)")("xa xb")
    ['a', 'b']
    """
    pattern = re.compile(token_pattern)
    if pattern.groups > 1:
        msg = (
            "More than 1 capturing group in token pattern. Only a single group should be captured."
        )
        raise ParameterError(msg)
    return pattern.findall


def word_ngrams(
    ngram_range: tuple[int, int],
    tokens: Iterable[Any],
    stop_words: Any = None,
    stem: Callable[[str], str] | None = None,
) -> list[Any]:
    """Leave out stop words, stem what is left, and join neighbours to n-grams.

    Examples
    --------
    >>> from learnable.feature_extraction.analysis import word_ngrams
    >>> word_ngrams((2, 2), ["to", "be", "or"], stop_words={"or"})
    ['to be']
    """
    words = [token for token in tokens if stop_words is None or token not in stop_words]
    words = words if stem is None else list(map(stem, words))
    least, most = ngram_range
    if most == 1:
        return words
    return [
        " ".join(words[first : first + n])
        for n in range(least, min(most, len(words)) + 1)
        for first in range(len(words) - n + 1)
    ]


def char_ngrams(ngram_range: tuple[int, int], text: str) -> list[str]:
    """Return the slices of a text, its white space made single.

    Examples
    --------
    >>> from learnable.feature_extraction.analysis import char_ngrams
    >>> char_ngrams((2, 3), "a  b")
    ['a ', ' b', 'a b']
    """
    text = _SPACES.sub(" ", text)
    least, most = ngram_range
    return [
        text[first : first + n]
        for n in range(least, min(most, len(text)) + 1)
        for first in range(len(text) - n + 1)
    ]


def char_wb_ngrams(ngram_range: tuple[int, int], text: str) -> list[str]:
    """Return the slices of each word with a blank before and after; short words count once.

    Examples
    --------
    >>> from learnable.feature_extraction.analysis import char_wb_ngrams
    >>> char_wb_ngrams((3, 4), "I do")
    [' I ', ' do', 'do ', ' do ']
    """
    found: list[str] = []
    least, most = ngram_range
    for word in text.split():
        padded = f" {word} "
        for n in range(least, most + 1):
            found += [padded[k : k + n] for k in range(max(len(padded) - n, 0) + 1)]
            if n >= len(padded):
                break
    return found


class _Stemmers(threading.local):
    """The stemmers of this thread: each keeps the word that it works on."""

    def __init__(self) -> None:
        self.of: dict[str, Any] = {}


_stemmers = _Stemmers()


def _stem_by(language: str, word: str) -> str:
    if language not in _stemmers.of:
        import snowballstemmer

        _stemmers.of[language] = snowballstemmer.stemmer(language)
    return str(_stemmers.of[language].stemWord(word))


def stemmer_of(stemmer: Any) -> Callable[[str], str] | None:
    """Return the function that a ``stemmer`` parameter names: a Snowball language or a function.

    Examples
    --------
    >>> from learnable.feature_extraction.analysis import stemmer_of
    >>> stemmer_of("english")("learning")
    'learn'
    """
    if stemmer is None or callable(stemmer):
        return stemmer
    try:
        import snowballstemmer
    except ImportError as error:
        msg = "stemmer needs the package snowballstemmer: pip install 'learnable[text]'."
        raise MissingDependencyError(msg) from error
    if stemmer not in snowballstemmer.algorithms():
        known = ", ".join(sorted(snowballstemmer.algorithms()))
        msg = f"there is no Snowball stemmer {stemmer!r}; there are {known}"
        raise ParameterError(msg)
    return partial(_stem_by, stemmer)


def check_stop_words(stop_words: Any, preprocess: Any, tokenize: Any) -> None:
    """Warn of stop words that would never meet the tokens that they are cut into."""
    if not stop_words:
        return
    try:
        pieces = {piece for word in stop_words for piece in tokenize(preprocess(word))}
    except Exception:  # noqa: BLE001 (functions of the user's that take no single words)
        return
    if strange := sorted(pieces - set(stop_words)):
        warn(
            "Your stop_words may be inconsistent with your preprocessing. Tokenizing the stop "
            f"words generated tokens {strange!r} not in stop_words."
        )
