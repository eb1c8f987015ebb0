"""Asking about libraries without loading them: values of theirs exist once they are loaded."""

from __future__ import annotations

import sys
from typing import Any


def loaded(module: str, name: str) -> Any:
    """Return what a module holds under a name, None unless it is loaded.

    A module that another thread is loading just now is there, but not yet what it holds.

    Examples
    --------
    >>> from learnable.core.loaded import loaded
    >>> loaded("math", "pi"), loaded("a.module.nobody.loaded", "pi")
    (3.141592653589793, None)
    """
    return getattr(sys.modules.get(module), name, None)


def is_sparse(X: Any) -> bool:
    """Whether ``X`` is a SciPy sparse container (SciPy is not imported to find out).

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from learnable.data import is_sparse
    >>> is_sparse(csr_array([[1.0]]))
    True
    """
    issparse = loaded("scipy.sparse", "issparse")
    return issparse is not None and bool(issparse(X))
