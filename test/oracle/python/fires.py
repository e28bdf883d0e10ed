"""Prints which playbooks the firing rules of the filled oracle would run at which hosts, and runs none."""

import stillness  # noqa: F401
import json

from application import app
from application.plugins.ansible import playbook_rules
from application.plugins.ansible.models import AnsiblePlaybookFireRule

PLAYBOOKS = ("patch.yml", "setup.yml", "later.yml", "section.yml", "rule.yml", "template.yml")
fired = []


def note(playbook, *, target_host, triggered_by, **_others):
    fired.append([triggered_by.removeprefix("rule:"), target_host, playbook])


playbook_rules.available_playbooks = lambda: PLAYBOOKS
playbook_rules.run_playbook = note

with app.app_context():
    playbook_rules.fire_playbook_rules()
    names = {str(rule.id): rule.name for rule in AnsiblePlaybookFireRule.objects}
    print(json.dumps([[names[rule], host, playbook] for rule, host, playbook in fired]))
