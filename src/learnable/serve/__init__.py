"""Serving: a saved model that answers over HTTP, on this machine alone."""

from learnable.serve.server import Server
from learnable.serve.service import Service

__all__ = ["Server", "Service"]
