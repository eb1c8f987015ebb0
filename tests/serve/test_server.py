"""The service: right answers, and nothing for whoever has no business here."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
from urllib.parse import urlencode

import pytest

import learnable
from learnable.core import DataError
from learnable.datasets import path_of
from learnable.naive_bayes import GaussianNB
from learnable.serve import Server, Service
from learnable.serve.server import MOST_BYTES

BIRD = {"island": "Dream", "bill_length_mm": 46.5, "bill_depth_mm": 17.9, "flipper_length_mm": 192,
        "body_mass_g": 3500, "sex": "female", "year": 2007}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    learnable.study(path_of("penguins"), "species", out=folder, budget=3)
    return folder


@pytest.fixture(scope="module")
def server(folder):
    server = Server(Service.of(folder / "model.learnable"), port=0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield server
    server.stop()
    thread.join(5)
    server.close()


def ask(server, method, path, body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request(method, path, body, {k.replace("_", "-"): v for k, v in headers.items()})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text, dict(answer.getheaders())


def predict(server, rows, **headers):
    token = {"Authorization": f"Bearer {server.token}"}
    return ask(server, "POST", "/predict", json.dumps({"rows": rows}), **token | headers)


def test_rows_are_answered_with_chances_a_set_and_reasons(server):
    status, text, headers = predict(server, [BIRD, {"island": "Biscoe"}])
    first, second = json.loads(text)["answers"]
    assert status == 200
    assert first["answer"] == "Chinstrap"
    assert sum(first["chances"].values()) == pytest.approx(1.0)
    assert "Chinstrap" in first["set"]
    assert first["reasons"][0]["column"] in {*BIRD, "prior"}
    assert "sex" in second["missing"]
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")


def test_values_never_seen_are_named(server):
    (answer,) = json.loads(predict(server, [BIRD | {"island": "Atlantis"}])[1])["answers"]
    assert answer["unseen"] == {"island": "Atlantis"}
    assert "island" in answer["missing"]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "list of objects"),
        ("x", "list of objects"),
        ([BIRD] * 101, "too many"),
        ([{"wings": 2}], "column is not known"),
        ([{"year": "soon"}], "not a finite number"),
        ([{"year": float("inf")}], "not a finite number"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_words(server, rows, words):
    status, text, _ = predict(server, rows)
    assert status == 400
    assert words in json.loads(text)["error"]


@pytest.mark.parametrize("path", ["/../../etc/passwd", "/model.learnable", "/%2e%2e/x", "//x"])
def test_there_are_no_files(server, path):
    assert ask(server, "GET", path)[0] == 404


def test_who_has_no_token_hears_nothing(server):
    assert ask(server, "GET", "/")[0] == 401
    assert ask(server, "GET", "/?token=guess")[0] == 401
    assert predict(server, [BIRD], Authorization="Bearer guess")[0] == 401
    assert predict(server, [BIRD], Authorization=f"Basic {server.token}")[0] == 401
    assert ask(server, "POST", "/form", urlencode({"c:island": "Dream"}))[0] == 401


def test_another_host_or_origin_is_refused(server):
    assert predict(server, [BIRD], Host="evil.example")[0] == 403
    assert predict(server, [BIRD], Origin="http://evil.example")[0] == 403
    assert predict(server, [BIRD], Origin="null")[0] == 403
    assert predict(server, [BIRD], Origin=f"http://127.0.0.1:{server.port}")[0] == 200


def test_bodies_are_small_whole_and_json(server):
    token = {"Authorization": f"Bearer {server.token}"}
    huge = {"Content-Length": str(MOST_BYTES + 1)}  # which is refused before it is read
    assert ask(server, "POST", "/predict", "x", **token, **huge)[0] == 413
    assert ask(server, "POST", "/predict", "not json", **token)[0] == 400
    assert ask(server, "POST", "/predict", "[" * 50_000, **token)[0] == 400
    assert ask(server, "POST", "/predict", "[1]", **token)[0] == 400


def test_a_silent_client_does_not_block_the_others(server):
    with socket.create_connection(("127.0.0.1", server.port)):
        assert predict(server, [BIRD])[0] == 200


def test_the_form_answers_without_scripts_and_escapes(server):
    status, page, _ = ask(server, "GET", f"/?token={server.token}")
    assert status == 200
    assert "<script" not in page
    assert "<option>Torgersen</option>" in page
    body = urlencode({"token": server.token, "c:island": "Dream", "c:bill_length_mm": "46.5"})
    status, page, _ = ask(server, "POST", "/form", body)
    assert status == 200
    assert 'aria-label="Answer"' in page
    body = urlencode({"token": server.token, "c:<b>x</b>": "1"})
    _, page, _ = ask(server, "POST", "/form", body)
    assert "<b>" not in page
    assert 'role="alert"' in page


def test_the_api_is_described(server):
    status, text, _ = ask(server, "GET", "/openapi.json")
    found = json.loads(text)
    assert status == 200
    assert found["openapi"] == "3.1.0"
    row = found["paths"]["/predict"]["post"]["requestBody"]["content"]["application/json"]
    assert set(BIRD) == set(row["schema"]["properties"]["rows"]["items"]["properties"])
    assert ask(server, "GET", "/health")[0] == 200


def test_a_model_without_names_of_columns_is_refused(tmp_path):
    learnable.save(
        GaussianNB().fit([[0.0], [1.0], [5.0], [7.0]], list("aabb")), tmp_path / "a.model"
    )
    with pytest.raises(DataError, match="does not tell which columns"):
        Service.of(tmp_path / "a.model")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_stops_when_told_to(folder, number):
    command = [sys.executable, "-m", "learnable.cli", "serve", str(folder / "model.learnable"),
               "--port", "0"]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline().startswith("The form is at http://127.0.0.1:")
        process.stdout.readline()
        process.send_signal(number)
        assert process.stdout.read() == "Stopped.\n"
        assert process.wait(10) == 0
