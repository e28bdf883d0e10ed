"""Documents of the types that no inventory is made with."""

from making import MODELS, PASTED_LIST, complete, least, make, moment, reference, tag

#: Types whose documents are written down one by one below; the others are made from their models.
BY_HAND = {
    "accounts",
    "ansible_customvars",
    "ansible_filter",
    "ansible_playbook_fire",
    "ansible_projects",
    "ansible_rewrite",
    "cmdb_templates",
    "cmk_passwords",
    "cmk_site_settings",
    "cmk_sites",
    "cron_groups",
    "custom_attributes",
    "host_objects",
    "netbox_dataflow_models",
    "notification_rules",
    "saved_searches",
    "syncer_rule_automation",
    "system_config",
    "users",
}


def types_without_engine():
    for ident in sorted(set(MODELS) - BY_HAND):
        make(ident, "complete", complete(ident, f"{ident} complete"))
        if "folder_name" in MODELS[ident]._fields:
            make(
                ident,
                "nameless",
                {
                    "folder_name": "pool-a",
                    "folder_title": "Pool A",
                    "folder_seats": 10,
                    "folder_seats_taken": 1,
                    "enabled": True,
                },
            )
            continue
        make(ident, "least", least(ident, f"{ident} least"))
        if "list_source" in MODELS[ident]._fields:
            pasted = {"rule_source": "list", "list_source": PASTED_LIST, "conditions": [tag("site", "ignore")]}
            make(ident, "list", complete(ident, f"{ident} from a list", **pasted))


def documents_with_partners():
    settings = {
        **complete("cmk_site_settings", "central settings"),
        "cmk_edition": "cee",
        "cmk_version_filename": "check-mk-{{CMK_EDITION}}-{{CMK_VERSION}}_0.bookworm_amd64.deb",
        "inital_password": "throw-away first password",
        "subscription_password": "throw-away subscription",
        "cmk_secret": "{{ACCOUNT:cmkv2:password}}",
        "cmk_user": "{{ACCOUNT:cmkv2:username}}",
        "webserver_certificate_private_key": "throw-away, no key",
        "cmk_server_address": "https://monitor.example.net/main",
    }
    make("cmk_site_settings", "central settings", settings)
    make(
        "cmk_site_settings",
        "plain settings",
        {
            "name": "plain settings",
            "cmk_version": "2.4.0p12",
            "cmk_edition": "cre",
            "cmk_version_filename": "{{CMK_VERSION}}.deb",
        },
    )
    variables = [
        {"variable_name": "site_port", "variable_value": "5001"},
        {"variable_name": "with_agent", "variable_value": "True"},
    ]
    make(
        "cmk_sites",
        "central",
        {
            "name": "central",
            "documentation": "The first",
            "server_address": "cmk-a.example.net",
            "settings_master": reference("cmk_site_settings", "central settings"),
            "custom_ansible_variables": variables,
            "enabled": True,
        },
    )
    make(
        "cmk_sites",
        "remote",
        {
            "name": "remote",
            "server_address": "cmk-b.example.net",
            "settings_master": reference("cmk_site_settings", "plain settings"),
            "enabled": True,
        },
    )
    make(
        "cmk_sites",
        "ours",
        {
            "name": "ours",
            "server_address": "site-a.example.net",
            "settings_master": reference("cmk_site_settings", "plain settings"),
            "enabled": True,
        },
    )
    make(
        "cmk_sites",
        "switched off",
        {
            "name": "switched off",
            "server_address": "cmk-c.example.net",
            "settings_master": reference("cmk_site_settings", "plain settings"),
        },
    )

    for name, title in (("cmk_passwords complete", "Of the database"), ("cmk_passwords least", "Nothing set")):
        document = complete("cmk_passwords", name, title=title) if "complete" in name else least("cmk_passwords", name)
        document.pop("password_crypted", None)
        made = make("cmk_passwords", name, document)
        if "complete" in name:
            made.set_password("throw-away of the password store")
            made.save()

    make(
        "netbox_dataflow_models",
        "applications",
        {
            "name": "applications",
            "documentation": "Flows",
            "used_dataflow_model": "applications",
            "connected_rules": [reference("netbox_dataflow_fields", "complete")],
            "enabled": True,
        },
    )
    make("netbox_dataflow_models", "least", {})
    make(
        "notification_rules",
        "to the team",
        {
            "name": "to the team",
            "enabled": False,
            "priority": 10,
            "source_type": "log",
            "only_errors": True,
            "match_pattern": "^Failed",
            "channels": [reference("notification_channels", "complete"), reference("notification_channels", "least")],
            "title_template": "{{ message }}",
            "message_template": "{{ details }}",
            "cooldown_minutes": 30,
        },
    )
    make("notification_rules", "least", {"name": "least", "enabled": False, "source_type": "audit"})
    for name, shared in (("decommissioned", True), ("mine", False)):
        make(
            "saved_searches",
            name,
            {
                "name": name,
                "path": "/admin/host/",
                "query_string": "flt0_lifecycle=decommissioned&search=db",
                "owner_email": "olga@example.net",
                "shared": shared,
                "created_at": moment(9),
            },
        )
    make(
        "system_config",
        "config",
        {
            "export_labels_list": ["site", "cluster"],
            "export_inventory_list": ["facts__os"],
            "merge_attributes": ["contact"],
            "first_steps_dismissed": True,
        },
    )
    body = (
        '{"name": "Group {{ HOSTNAME }}", "condition_typ": "anyway", "enabled": true, "outcomes": '
        '[{"attribute_name": "auto_made", "attribute_value": "{% raw %}{{ site }}{% endraw %}"}]}'
    )
    make(
        "syncer_rule_automation",
        "A rule for each application",
        {
            "name": "A rule for each application",
            "documentation": "Why",
            "rule_type": "ansible_customvars",
            "rule_body": body,
            "object_filter": "application",
            "enabled": True,
        },
    )
    make(
        "syncer_rule_automation",
        "Switched off",
        {
            "name": "Switched off",
            "rule_type": "cmk_rules",
            "rule_body": "{}",
            "object_filter": "host",
            "enabled": False,
        },
    )
