"""Accounts of all types, with every option that a person can set."""

from application.helpers.plugins import discover_plugins
from application.models.account import get_account_types

from making import MODELS, make, reference

# What a person has entered beside the presets of the type.
OPTIONS = {
    "csv": {"path": "nodes.csv", "hostname_field": "host", "delimiter": ",", "encoding": "utf-8"},
    "json": {"path": "devices.json", "hostname_field": "name", "data_key": "results"},
    "yml": {"path": "hosts.yml", "name_of_hosts_key": "hosts", "name_of_variables_key": "vars"},
    "external_restapi": {
        "auth_type": "basic",
        "request_headers": "{'Content-Type': 'application/json', 'X-Team': 'cmdb'}",
        "data_key": "result",
        "method": "POST",
        "post_body": "{'all': 1}",
        "inventorize_key": "rest",
    },
    "ldap": {
        "base_dn": "ou=servers,dc=example,dc=net",
        "search_filter": "(objectClass=device)",
        "attributes": "cn,description,memberOf",
        "encoding": "utf-8",
        "inventorize_key": "ldap",
        "inventorize_match_attribute": "cn=cn",
    },
    "mysql": {"database": "cmdb", "table": "hosts", "fields": "host,site,owner", "hostname_field": "host"},
    "mssql": {
        "database": "cmdb",
        "custom_query": "SELECT host, site FROM hosts",
        "fields": "host,site",
        "serverport": "1433",
    },
    "odbc": {"database": "cmdb", "table": "hosts", "fields": "host,site", "trust_server_certificate": "yes"},
    "netbox": {
        "import_filter": "role:router,role:firewall",
        "rewrite_hostname": "{{ HOSTNAME }}.example.net",
        "delete_host_if_not_found_on_import": "object_type:host",
    },
    "cmkv2": {
        "limit_by_accounts": "csv,!json",
        "limit_by_folders": "/test",
        "bakery_key_id": "1",
        "bakery_passphrase": "throw-away for the bakery",
        "dont_delete_hosts_if_more_then": "10",
        "dont_activate_changes_if_more_then": "50",
        "wait_for_activate_changes": "True",
        "remove_orphaned_rules": "True",
        "import_filter": "test-,old-",
    },
    "i-doit": {"api_token": "throw-away for i-doit", "filter_cmdb_status": "6"},
    "maintenance": {
        "delete_hosts_after_days": "30",
        "dont_delete_hosts_if_more_then": "5",
        "account_filter": "csv",
        "stale_after_days": "7",
        "auto_archive_when_stale": "True",
        "purge_hosts_after_days": "90",
    },
    "servicenow": {"inventorize_key": "snow", "inventorize_tables": "cmdb_ci_cluster:rel", "tables": "cmdb_ci_server"},
    "vmware_vcenter": {"inventory_filter": "power_state:poweredOn"},
    "eda": {"repeat_threshold": "5"},
    "jdisc": {"import_unnamed_devices": "True"},
}
EVERY_CONNECTION = {
    "http_proxy": "http://{{ACCOUNT:plain:username}}@proxy.example.net:3128",
    "custom_headers": "X-API-Key: {{ACCOUNT:plain:password}} | X-Tenant: muc",
    "request_timeout": "90",
    "verify_cert": "False",
    "ca_cert_chain": "/etc/ssl/chain.pem",
    "ca_root_cert": "/etc/ssl/root.pem",
}
ADDRESSED = {"cmkv2": "https://cmk.example.net/main", "csv": "", "json": "", "yml": ""}


def account(name, kind, options=None, **members):
    document = {
        "name": name,
        "typ": kind,
        "address": ADDRESSED.get(kind, f"https://{kind.replace('_', '-')}.example.net"),
        "username": f"user-{name}",
        "custom_fields": [{"name": key, "value": value} for key, value in (options or {}).items()],
        "enabled": True,
        **members,
    }
    made = make("accounts", name, document)
    made.set_password(f"throw-away of {name}")
    return made


def accounts():
    presets = {
        plugin["ident"]: plugin.get("account_custom_field_presets") or {} for plugin in discover_plugins().values()
    }
    for kind, _label in get_account_types():
        account(kind, kind, {**presets.get(kind, {}), **OPTIONS.get(kind, {})})
    account("plain", "custom")
    account(
        "with everything",
        "external_restapi",
        {**presets["external_restapi"], **OPTIONS["external_restapi"], **EVERY_CONNECTION, "mine": "a text of my own"},
        is_master=True,
        is_object=True,
        cmdb_object=True,
        object_type="application",
        check_for_valid_hostname=True,
        require_fqdn=True,
        plugin_settings=[
            {"plugin": "Checkmk: Export Hosts", "object_filter": ["host", "cmk_site"]},
            {"plugin": "Netbox: Update Devices", "object_filter": []},
        ],
    )
    account("child of csv", "csv", {"path": "child.csv"}, is_child=True, parent=reference("accounts", "csv"))
    account("imports only", "csv", OPTIONS["csv"], restrict_to="import")
    account("inventories only", "json", OPTIONS["json"], restrict_to="inventorize")
    account("off", "ldap", OPTIONS["ldap"], enabled=False)
    account("pairs", "json", {"path": "pairs.json", "hostname_field": "host", "rewrite_hostname": "{{ names }}"})
    for position, kind in enumerate(choice[0] for choice in MODELS["accounts"].object_type.choices):
        account(f"objects {position:02}", "custom", {}, is_object=True, object_type=kind)
    # From before passwords were encrypted; the oracle encrypts it when it is first read.
    make(
        "accounts", "old password", {"name": "old password", "typ": "custom", "password": "throw-away, never encrypted"}
    )
