"""``learnable serve``: a saved model behind a form and an API, until Ctrl-C."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

from learnable.serve import Server, Service


def serve(path: str, port: int) -> None:
    """Serve a model; Ctrl-C and termination end it after what is being answered."""
    server = Server(Service.of(path), port, f"Ask {Path(path).name}")

    def stop(*_: object) -> None:
        threading.Thread(target=server.stop, daemon=True).start()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    print(f"The form is at {server.url}", flush=True)
    print(f"Programs post rows to /predict with the token {server.token}; Ctrl-C ends.", flush=True)
    try:
        server.run()
    finally:
        server.close()
        for number, handler in before.items():
            signal.signal(number, handler)
    print("Stopped.")
