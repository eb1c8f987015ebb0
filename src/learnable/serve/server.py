"""The server: loopback alone, a token, the right Host and Origin, small bodies, and a time limit.

Other programs on the machine, and pages in its browser, can reach loopback; that is why a request
must carry the token that was printed at the start, name this host, and come from this origin.
"""

from __future__ import annotations

import json
import secrets
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from learnable import __version__
from learnable.core.errors import LearnableError
from learnable.serve.pages import answer_part, form_page, openapi, refusal_part
from learnable.serve.service import Service

HOST = "127.0.0.1"
MOST_BYTES = 1_000_000
PATIENCE = 10.0
"""Seconds that a client may take to send, and a model to answer."""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'"


class Refusal(Exception):  # noqa: N818
    """A request that is not answered: status and words."""

    def __init__(self, status: int, text: str) -> None:
        self.status, self.text = status, text
        super().__init__(text)


class Server:
    """A service on a port of this machine.

    Parameters
    ----------
    service : Service
        What answers.
    port : int, default=8000
        Where; 0 for any free port.
    title : str
        What the pages are headed with.

    Examples
    --------
    >>> from learnable.datasets import load_play_tennis
    >>> from learnable.serve import Server, Service
    >>> from learnable.studies import Options, Wishes, follow
    >>> from learnable.studies.answering import learned_columns
    >>> found = follow(load_play_tennis(as_frame=True).frame, Wishes("play"), Options(budget=1))
    >>> server = Server(Service(found.model, learned_columns(found.model), ()), port=0)
    >>> server.url.startswith("http://127.0.0.1:")
    True
    >>> server.close()
    """

    def __init__(self, service: Service, port: int = 8000, title: str = "Ask the model") -> None:
        self.service, self.title, self.token = service, title, secrets.token_urlsafe(16)
        self._workers = ThreadPoolExecutor(2, thread_name_prefix="learnable-serve")
        self._http = ThreadingHTTPServer((HOST, port), Handler)
        self._http.daemon_threads = True
        self._http.owner = self  # type: ignore[attr-defined]
        self.port = self._http.server_address[1]

    @property
    def url(self) -> str:
        """Where the form is, with the token."""
        return f"http://{HOST}:{self.port}/?token={self.token}"

    @property
    def hosts(self) -> tuple[str, ...]:
        """Names that requests may give the host."""
        return (f"{HOST}:{self.port}", f"localhost:{self.port}")

    def run(self) -> None:
        """Answer until :meth:`stop` is called."""
        self._http.serve_forever(poll_interval=0.1)

    def stop(self) -> None:
        """End :meth:`run`; what is being answered is finished."""
        self._http.shutdown()

    def close(self) -> None:
        """Give the port back."""
        self._http.server_close()
        self._workers.shutdown(wait=False, cancel_futures=True)

    def answer(self, rows: Any) -> list[dict[str, Any]]:
        """Return the answers, or refuse after some seconds."""
        try:
            return self._workers.submit(self.service.answer, rows).result(PATIENCE)
        except TooLate as error:
            raise Refusal(503, f"no answer within {PATIENCE:g} seconds") from error
        except LearnableError as error:
            raise Refusal(400, " ".join(str(error).split())) from error


class Handler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    server_version, sys_version = f"learnable/{__version__}", ""
    timeout = PATIENCE

    @property
    def owner(self) -> Server:
        """The server that the request came to."""
        return self.server.owner  # type: ignore[attr-defined, no-any-return]

    def do_GET(self) -> None:
        """Answer with a page, or with the description of the API."""
        self._answered(self._get)

    def do_POST(self) -> None:
        """Answer rows."""
        self._answered(self._post)

    def log_message(self, *_: Any) -> None:
        """Print nothing: a request may hold what is nobody's business."""

    def _answered(self, act: Any) -> None:
        try:
            self._check_host()
            status, kind, text = act()
        except Refusal as refusal:
            status, kind = refusal.status, "application/json"
            text = json.dumps({"error": refusal.text})
            self.close_connection = True
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        for name, value in (
            ("Content-Security-Policy", _POLICY), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
            ("X-Frame-Options", "DENY"),
        ):  # fmt: skip
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def _check_host(self) -> None:
        if self.headers.get("Host", "") not in self.owner.hosts:
            raise Refusal(403, "the request names another host")
        origin = self.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc not in self.owner.hosts:
            raise Refusal(403, "the request comes from another origin")

    def _check_token(self, given: str) -> None:
        if not secrets.compare_digest(given.encode(), self.owner.token.encode()):
            raise Refusal(401, "the token is missing or wrong; it was printed at the start")

    def _get(self) -> tuple[int, str, str]:
        url = urlsplit(self.path)
        if url.path == "/health":
            return 200, "application/json", '{"status": "ok"}'
        if url.path == "/openapi.json":
            told = openapi(self.owner.service.schema, self.owner.title, __version__)
            return 200, "application/json", json.dumps(told)
        if url.path != "/":
            raise Refusal(404, "there is nothing here")
        self._check_token(parse_qs(url.query).get("token", [""])[0])
        page = form_page(self.owner.service.schema, self.owner.token, self.owner.title)
        return 200, "text/html", page

    def _post(self) -> tuple[int, str, str]:
        path = urlsplit(self.path).path
        if path == "/predict":
            scheme, _, token = self.headers.get("Authorization", "").partition(" ")
            self._check_token(token if scheme == "Bearer" else "")
            rows = self._json().get("rows")
            return 200, "application/json", json.dumps({"answers": self.owner.answer(rows)})
        if path == "/form":
            return self._form()
        raise Refusal(404, "there is nothing here")

    def _form(self) -> tuple[int, str, str]:
        most = len(self.owner.service.schema) + 5
        try:
            given = parse_qs(self._body().decode(), keep_blank_values=True, max_num_fields=most)
        except ValueError as error:
            raise Refusal(400, "the form cannot be read") from error
        self._check_token(given.pop("token", [""])[0])
        row = {name.removeprefix("c:"): cells[0] for name, cells in given.items()}
        try:
            told = answer_part(self.owner.answer([row])[0])
        except Refusal as refusal:
            told = refusal_part(refusal.text)
        page = form_page(self.owner.service.schema, self.owner.token, self.owner.title, told)
        return 200, "text/html", page

    def _json(self) -> dict[str, Any]:
        try:
            found = json.loads(self._body())
        except (ValueError, RecursionError) as error:
            raise Refusal(400, "the body is not JSON") from error
        if not isinstance(found, dict):
            raise Refusal(400, 'send {"rows": [{...}, ...]}')
        return found

    def _body(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        if not length.isdigit():
            raise Refusal(411, "say how long the body is")
        if int(length) > MOST_BYTES:
            raise Refusal(413, f"at most {MOST_BYTES} bytes are read")
        try:
            return self.rfile.read(int(length))
        except TimeoutError as error:
            raise Refusal(408, "the body did not come in time") from error
