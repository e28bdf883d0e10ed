"""Serves the oracle on a free port of the loopback until standard input closes. Prints the port."""

import stillness  # noqa: F401
import os
import sys
import threading

from application import app
from werkzeug.serving import WSGIRequestHandler, make_server


class Quiet(WSGIRequestHandler):
    def log(self, *_):
        pass


def end_with_parent():
    sys.stdin.buffer.read()
    # A regular exit writes log entries of plugin runs. A server has none that anybody would read.
    os._exit(0)


server = make_server("127.0.0.1", int(os.environ.get("ORACLE_PORT", "0")), app, request_handler=Quiet)
threading.Thread(target=end_with_parent, daemon=True).start()
print(f"listening on {server.server_port}", flush=True)
server.serve_forever()
