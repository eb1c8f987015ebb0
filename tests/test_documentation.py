"""Every public name is documented, with an example that runs."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import pytest

import learnable


def rooms():
    names = [info.name for info in pkgutil.iter_modules(learnable.__path__)]
    found = [learnable, *[importlib.import_module(f"learnable.{n}") for n in names if n[0] != "_"]]
    return [room for room in found if hasattr(room, "__all__")]


PUBLIC = {
    f"{room.__name__}.{name}": getattr(room, name)
    for room in rooms()
    for name in room.__all__
    if not name.startswith("_") and not inspect.ismodule(getattr(room, name))
}


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_has_an_example(name):
    assert ">>>" in (inspect.getdoc(PUBLIC[name]) or ""), f"{name} has no example"


@pytest.mark.parametrize("name", [n for n, value in PUBLIC.items() if inspect.isclass(value)])
def test_a_public_method_is_described(name):
    methods = inspect.getmembers(PUBLIC[name], inspect.isfunction)
    ours = [m for n, m in methods if n[0] != "_" and m.__module__.startswith("learnable")]
    assert [method.__qualname__ for method in ours if not inspect.getdoc(method)] == []


@pytest.mark.parametrize("name", [n for n, v in PUBLIC.items() if hasattr(v, "fitted_state")])
def test_a_learner_documents_its_parameters_and_attributes(name):
    text, cls = inspect.getdoc(PUBLIC[name]), PUBLIC[name]
    named = [*inspect.signature(cls).parameters, *cls.fitted_state, *cls.derived]
    public = [one for one in named if not one.startswith("_") and one != "kwargs"]
    assert [one for one in public if one not in text] == []


def test_nothing_public_is_named_like_a_package():
    packages = {info.name for info in pkgutil.iter_modules(learnable.__path__)}
    assert packages.isdisjoint(set(learnable.__all__) - {"__version__"})
