"""Fills the oracle: fill.py <world> <step>. What imports bring, its own commands import between the two steps."""

import stillness  # noqa: F401
import importlib
import sys

from application import app

with app.app_context():
    world = importlib.import_module(sys.argv[1])
    {"before": world.before_imports, "after": world.after_imports}[sys.argv[2]]()
