"""Cron groups that together have every job there is."""

from application import cron_register
from application.models.user import _hash_api_token

from making import make, reference

ACCOUNT_OF_JOB = {
    "CSV": "csv",
    "JSON FILE": "json",
    "YML": "yml",
    "REST API": "external_restapi",
    "Mysql": "mysql",
    "MsSQL": "mssql",
    "ODBC": "odbc",
    "LDAP": "ldap",
    "Netbox": "netbox",
    "Checkmk": "cmkv2",
    "VMware": "vmware_vcenter",
    "ServiceNow": "servicenow",
    "JDisc": "jdisc",
    "Jira Cloud": "jira_cloud",
    "Jira OnPrem": "jira",
    "i-doit": "i-doit",
    "PRTG Monitoring": "prtg",
    "BMC Remedy": "bmc_remedy",
    "Cisco DNA": "cisco_dna",
    "EDA": "eda",
}
WITHOUT_ACCOUNT = {"Checkmk: Generate Users", "Checkmk: Sync Folder Pools", "Checkmk: Sync Site Pools"}


def job(command, name=None):
    kind = ACCOUNT_OF_JOB.get(command.split(":")[0])
    kind = {"Syncer: Maintenence": "maintenance", "Syncer: Mark Stale Hosts": "csv"}.get(command, kind)
    document = {"name": name or command, "command": command}
    if kind and command not in WITHOUT_ACCOUNT:
        document["account"] = reference("accounts", kind)
    return document


def cron_groups():
    for system in sorted({command.split(":")[0] for command in cron_register}):
        name = f"all of {system}"
        commands = [command for command in sorted(cron_register) if command.split(":")[0] == system]
        make(
            "cron_groups",
            name,
            {"name": name, "interval": "daily", "enabled": False, "jobs": [job(c) for c in commands]},
        )
    make(
        "cron_groups",
        "with everything",
        {
            "name": "with everything",
            "interval": "10min",
            "custom_interval_in_minutes": 5,
            "timerange_from": "22",
            "timerange_to": "6",
            "jobs": [job("CSV: Import Hosts", "nodes"), job("Ansible: Build Cache")],
            "render_jobs": "",
            "enabled": True,
            "run_once_next": True,
            "continue_on_error": True,
            "webhook_enabled": True,
            "webhook_token_hash": _hash_api_token("throw-away webhook token"),
            "sort_field": 7,
            "protected": True,
        },
    )
    make(
        "cron_groups",
        "old token",
        {"name": "old token", "interval": "hour", "webhook_enabled": True, "webhook_token": "throw-away, never hashed"},
    )
    make(
        "cron_groups",
        "nightly",
        {"name": "nightly", "interval": "daily", "enabled": True, "jobs": [job("Syncer: Autocreate Rules")]},
    )
