"""Runs the test database until standard input closes, so that it never outlives the tests that started it."""

import os
import shutil
import sys
import threading

from secantus.cli import main


def end_with_parent(folder: str) -> None:
    sys.stdin.buffer.read()
    # A regular stop writes a checkpoint first, which takes two seconds and which nobody will read.
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


folder = sys.argv[1]
threading.Thread(target=end_with_parent, args=(folder,), daemon=True).start()
sys.exit(main(["--storage-path", folder, *sys.argv[2:]]))
