"""A wire between pbmd and its mail server that can be cut and mended."""

import socket
import threading
from contextlib import suppress

from tests.mailservers import free_ports


class Wire:
    """Passes TCP connections on to `target` on this machine, as long as it is not cut."""

    def __init__(self, target: int) -> None:
        self.target = target
        self._ends: list[socket.socket] = []
        self._changes = threading.Lock()
        # Not any port: while the wire is cut the system would give it to others, even to whoever tries to connect to it.
        [self.port] = free_ports(1)
        self._listener = self._listen(self.port)

    def cut(self) -> None:
        """End all connections and refuse new ones."""
        with self._changes:
            self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            for end in self._ends:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()
            self._ends.clear()

    def mend(self) -> None:
        """Let connections through again."""
        self._listener = self._listen(self.port)

    def _listen(self, port: int) -> socket.socket:
        listener = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()
        return listener

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self.target))
                except OSError:  # nobody is there just now
                    near.close()
                    continue
                with self._changes:
                    if listener.fileno() < 0:  # cut meanwhile
                        near.close()
                        far.close()
                        return
                    self._ends += [near, far]
                self.join(near, far)

    def join(self, near: socket.socket, far: socket.socket) -> None:
        """Pass on what comes from either end, until one has ended."""
        for source, sink in ((near, far), (far, near)):
            threading.Thread(target=_pump, args=(source, sink), daemon=True).start()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
