"""A web server of a chat in the process of the tests, which does as it is told."""

import ssl
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Chat:
    """What came in, and what is answered: a status with header fields, or nothing for so long, byte by byte if `drips`."""

    port: int = 0
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    silent_seconds: float = 0
    drips: bool = False
    came: list[tuple[str, Mapping[str, str], bytes]] = field(default_factory=list[Any])

    @property
    def said(self) -> list[bytes]:
        """The bodies, in the order in which they came."""
        return [body for _, _, body in self.came]


@contextmanager
def chat(certificate: tuple[str, str] | None = None) -> Generator[Chat]:
    """The server on loopback, by TLS if there is a certificate with its key."""
    told = Chat()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            told.came.append((self.path, dict(self.headers), body))
            time.sleep(told.silent_seconds)
            if told.drips:
                self.drip()
                return
            self.send_response(told.status)
            for name, value in told.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"ok")

        def drip(self) -> None:
            for letter in b"HTTP/1.1 200 OK\r\nX-Very-Slow: " + b"x" * 1000:
                try:
                    self.wfile.write(bytes([letter]))
                except OSError:
                    return
                time.sleep(0.05)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Clients that hang up are what is tested."""

    with Server(("127.0.0.1", 0), Handler) as server:
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        told.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield told
        finally:
            server.shutdown()
            thread.join()
