"""Reads inventory documents as one ansible-core does, by the script plugin and by the plugin of this project.

Takes a list of documents on stdin, and answers what a consumer sees of each. ANSIBLE_OLDER names a folder with another version.
"""

import json
import os
import sys
import tempfile

sys.path[:0] = [folder for folder in [os.environ.get("ANSIBLE_OLDER", "")] if folder]

from ansible import __version__  # noqa: E402
from ansible.inventory.manager import InventoryManager  # noqa: E402
from ansible.parsing.dataloader import DataLoader  # noqa: E402
from ansible.utils.display import Display  # noqa: E402
from ansible.vars.manager import VariableManager  # noqa: E402

try:
    from ansible.plugins.loader import init_plugin_loader

    init_plugin_loader([])
except ImportError:
    pass  # Before 2.15 it is made by itself.

messages = []


def note(_self, message, *_args, **_options):
    messages.append(str(message))


Display.warning = Display.error = note


def read(source):
    """What plays on all hosts, on each host and on each group would reach, and with which variables."""
    messages.clear()
    try:
        loader = DataLoader()
        inventory = InventoryManager(loader=loader, sources=[source])
        variables = VariableManager(loader=loader, inventory=inventory)
        hosts = {
            host.name: {
                "reached": [found.name for found in inventory.get_hosts(host.name)],
                "mark": str(variables.get_vars(host=host).get("mark", "")),
            }
            for host in inventory.get_hosts("all")
        }
        groups = {name: [host.name for host in group.get_hosts()] for name, group in inventory.groups.items()}
        localhost = inventory.get_host("localhost")
        local = "" if localhost is None else str(variables.get_vars(host=localhost).get("ansible_connection", ""))
        answer = {"hosts": hosts, "groups": groups, "localhost": local}
    except Exception as error:
        answer = {"refused": "%s: %s" % (type(error).__name__, error)}
    return {**answer, "messages": [text for text in messages if "arse" in text or "same name" in text]}


def main():
    answers = []
    with tempfile.TemporaryDirectory() as folder:
        for index, document in enumerate(json.load(sys.stdin)):
            script = os.path.join(folder, "inventory%d" % index)
            with open(script + ".json", "w", encoding="utf-8") as file:
                file.write(document)
            with open(script, "w", encoding="utf-8") as file:
                file.write('#!/bin/sh\ncase $* in *--host*) echo "{}" ;; *) cat %s.json ;; esac\n' % script)
            os.chmod(script, 0o755)
            plugin = "%s.muster.yml" % script
            with open(plugin, "w", encoding="utf-8") as file:
                json.dump({"plugin": "muster", "mode": "local", "program": script}, file)
            answers.append({"script": read(script), "plugin": read(plugin)})
    json.dump({"version": __version__, "answers": answers}, sys.stdout)


main()
