"""Renders the cases of cases.json with Jinja2 and prints what it makes of each, as JSON."""

import json
import pathlib
import sys

from jinja2 import StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

ENVIRONMENT = SandboxedEnvironment(undefined=StrictUndefined)


def render(template, context):
    try:
        text = ENVIRONMENT.from_string(template).render(**context, attributes=dict(context))
    except Exception as error:  # every failure is one outcome: no text
        return {"ok": False, "text": "", "error": f"{type(error).__name__}: {error}"}
    return {"ok": True, "text": text.strip()}


def main():
    document = json.loads(pathlib.Path(__file__).with_name("cases.json").read_text(encoding="utf-8"))
    results = [render(template, document["context"]) for template in document["templates"]]
    json.dump(results, sys.stdout)


main()
