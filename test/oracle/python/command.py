"""Runs a command of the oracle: command.py rules export_all_rules export.jsonl."""

import stillness  # noqa: F401
import sys

sys.argv[0] = "cmdbsyncer"
from application.cli import main  # noqa: E402

main()
