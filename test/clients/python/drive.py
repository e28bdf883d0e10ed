"""Drives a service by the client that openapi-python-client makes of its OpenAPI document, in the folder muster beside this file."""

import base64
import os

from muster import AuthenticatedClient, Client
from muster.api.objects import hosts_get_host, hosts_list_hosts, hosts_save_host, hosts_save_hosts_bulk
from muster.api.rules import rules_import_rules, rules_import_rules_of_type
from muster.models.error import Error
from muster.models.error_code import ErrorCode
from muster.models.host import Host
from muster.models.hosts_save_host_body import HostsSaveHostBody
from muster.models.hosts_save_hosts_bulk_body import HostsSaveHostsBulkBody
from muster.models.rule_document import RuleDocument
from muster.models.rules_of_one_type import RulesOfOneType

ACCOUNT = "python-client"
URL = os.environ["MUSTER_URL"]
LOGIN = f"{os.environ['MUSTER_USER']}:{os.environ['MUSTER_PASSWORD']}"
client = AuthenticatedClient(
    base_url=URL,
    prefix="Basic",
    token=base64.b64encode(LOGIN.encode()).decode(),
    raise_on_unexpected_status=True,
)


def create_account():
    body = RuleDocument.from_dict({"name": ACCOUNT, "type": "api", "enabled": True})
    answer = rules_import_rules_of_type.sync_detailed("accounts", client=client, body=body)
    assert (answer.status_code, answer.parsed.imported) == (201, 1), answer


def save_hosts():
    body = HostsSaveHostBody.from_dict({"account": ACCOUNT, "labels": {"site": "Bogotá", "cpus": 8}})
    answer = hosts_save_host.sync("py01.example.org", client=client, body=body)
    assert answer.status == "saved", answer
    names = ["py02.example.org", "py03.example.org"]
    objects = [{"hostname": name, "labels": {"tags": ["a", "b"]}} for name in names]
    body = HostsSaveHostsBulkBody.from_dict({"account": ACCOUNT, "objects": objects})
    answer = hosts_save_hosts_bulk.sync(client=client, body=body)
    assert (answer.status, answer.not_saved) == ("saved 2", []), answer


def read_host():
    host = hosts_get_host.sync("py01.example.org", client=client)
    assert isinstance(host, Host), host
    assert host.labels.to_dict() == {"site": "Bogotá", "cpus": 8}, host
    assert hosts_get_host.sync("py03.example.org", client=client).labels["tags"] == ["a", "b"]


def list_hosts():
    """Every host comes once, whatever the pages are."""
    seen = []
    start, limit = 0, 300
    while True:
        page = hosts_list_hosts.sync(client=client, start=start, limit=limit)
        seen += [host.hostname for host in page.results]
        start += limit
        if start >= page.size:
            break
    assert len(seen) == len(set(seen)) == page.size, (len(seen), page.size)
    assert "py03.example.org" in seen


def import_rules():
    rule = {"name": "by python", "condition_typ": "anyway"}
    rule["outcomes"] = [{"attribute_name": "by", "attribute_value": "python"}]
    body = RulesOfOneType.from_dict({"rule_type": "custom_attributes", "rules": [rule]})
    answer = rules_import_rules.sync(client=client, body=body)
    assert answer.imported["custom_attributes"] == 1, answer


def meet_errors():
    missing = hosts_get_host.sync("no.example.org", client=client)
    assert isinstance(missing, Error) and missing.code == ErrorCode.NOT_FOUND, missing
    refused = hosts_get_host.sync("py01.example.org", client=Client(base_url=URL))
    assert isinstance(refused, Error) and refused.code == ErrorCode.UNAUTHENTICATED, refused


for part in (create_account, save_hosts, read_host, list_hosts, import_rules, meet_errors):
    part()
print("all answers were as described")
