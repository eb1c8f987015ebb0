"""The same bits whoever runs the blocks: a cluster, a forked child, a task inside a task."""

from __future__ import annotations

import multiprocessing

import pytest

from learnable.checks import example_table, same_bits
from learnable.checks.learners import fitted, whole
from learnable.core import Dask, Threads, config, serial
from learnable.data.rows import other_grid
from learnable.estimator import learners, table_learners

NAMES = pytest.mark.parametrize("name", table_learners())
MINUTE = 60


def model_of(name, rows=32):
    learner = learners()[name]()
    table = example_table(learner)
    with other_grid(rows):
        return whole(fitted(learner, table), table.X)


@pytest.fixture(scope="module")
def client():
    from distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, Client(cluster) as client:
        yield client


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@NAMES
def test_a_distributed_cluster_gives_the_serial_bits(name, client):
    with config(runner=serial):
        expected = model_of(name)
    with config(runner=client):
        same_bits(model_of(name), expected, "Dask distributed")
    with config(runner=Dask(client, ahead=3)):
        same_bits(model_of(name), expected, "Dask distributed, three blocks ahead")


@NAMES
def test_a_fit_inside_a_task_of_the_pool_gives_the_same_bits(name):
    expected = model_of(name)
    for found in Threads(2)(model_of, [name] * 4):
        same_bits(found, expected, "a fit inside a task")


def send_model(connection, name):
    connection.send(model_of(name))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # forking beside threads is the point
@NAMES
def test_a_forked_child_fits_after_its_parent_used_the_pool(name):
    with config(threads=2):
        expected = model_of(name)
        here, there = multiprocessing.Pipe(duplex=False)
        child = multiprocessing.get_context("fork").Process(target=send_model, args=(there, name))
        child.start()
        assert here.poll(MINUTE), "the child hangs"
        same_bits(here.recv(), expected, "a fork")
        child.join(MINUTE)
        assert child.exitcode == 0


@NAMES
def test_joblib_processes_and_threads_give_the_same_bits(name):
    from joblib import Parallel, delayed

    expected = model_of(name)
    for backend in ("threading", "loky"):
        tasks = [delayed(model_of)(name) for _ in range(2)]
        for found in Parallel(n_jobs=2, backend=backend)(tasks):
            same_bits(found, expected, backend)
