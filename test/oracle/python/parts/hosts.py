"""Hosts, objects and templates beside what imports bring."""

import json

from application.models.host import Host

from making import complete, identity, make, moment, reference


def template(name, labels, **members):
    return make(
        "cmdb_templates",
        name,
        {"hostname": name, "object_type": "template", "is_object": True, "labels": labels, **members},
    )


def templates():
    web = template(
        "tpl-web",
        {
            "monitor_url": "https://monitor.example.net/{{ HOSTNAME }}?site={{ site }}",
            "owner": "team-{{ cluster }}",
            "contact": "web@example.net,oncall@example.net",
            "broken": "{{ nobody.knows }}",
        },
        cmdb_match="cluster:jobrunner",
    )
    codfw = template(
        "tpl-codfw",
        {"region": "us-south", "contact": "oncall@example.net,codfw@example.net", "owner": "dc-ops"},
        cmdb_match="site:codfw",
    )
    template("tpl-by-hand", {"rack_power": "dual", "backup": "True"})
    gone = template("tpl-archived", {"owner": "nobody"}, cmdb_match="site:eqiad")
    gone.soft_delete(reason="not used")
    gone.save()
    return web, codfw


def objects():
    for kind in ("application", "service", "location", "contact", "group", "network", "url", "cmk_site", "custom_1"):
        name = f"{kind} one"
        make(
            "host_objects",
            name,
            {
                "hostname": name,
                "object_type": kind,
                "is_object": True,
                "labels": {"owner": "team-a", "criticality": "high"},
                "cmdb_fields": [{"field_name": "owner", "field_value": "team-a"}, {"field_name": "sla"}],
                "no_autodelete": True,
                "source_account_id": "cmdb",
                "source_account_name": "cmdb",
            },
        )


def special_hosts():
    made = make(
        "host_objects",
        "complete.example.net",
        complete(
            "host_objects",
            "complete.example.net",
            hostname="complete.example.net",
            object_type="host",
            is_object=False,
            lifecycle_state="active",
            labels={
                "site": "codfw",
                "cluster": "jobrunner",
                "app.kubernetes.io/name": "shop",
                "list": ["a", "b"],
                "number": 7,
                "half": 0.5,
                "yes": "TRUE",
                "no": "false",
                "really": True,
                "nothing": None,
                "empty": "",
                "nested": {"deep": {"er": "x"}},
                "custom_fields": {"owner": "otto"},
            },
            inventory={
                "syncer_account": "csv",
                "facts__os": {"name": "Debian", "release": {"major": "12"}},
                "facts__uptime": 12,
                "cmk__state": "up",
            },
            cmdb_templates=[reference("cmdb_templates", "tpl-by-hand"), reference("cmdb_templates", "tpl-web")],
            cmdb_match=None,
            cmdb_fields=[{"field_name": "owner", "field_value": "otto"}],
            relations=[
                {"type": kind, "target_host": reference("host_objects", "application one"), "source": source}
                for kind, source in (
                    ("depends_on", "manual"),
                    ("runs_on", "import"),
                    ("member_of", "manual"),
                    ("parent_of", "manual"),
                    ("connects_to", "netbox"),
                )
            ],
            source_account_id=identity("accounts", "csv"),
            source_account_name="csv",
            project="project complete",
            folder="pool-a",
            pool_site="central",
            deleted_at=None,
            delete_reason=None,
            is_stale=True,
            stale_since=moment(1),
            log=["01.11.2026 10:00 Label Change: site to codfw"],
            cache={},
        ),
    )
    for state in ("planned", "staged", "decommissioned"):
        make(
            "host_objects",
            f"{state}.example.net",
            {
                "hostname": f"{state}.example.net",
                "object_type": "host",
                "labels": {"site": "codfw"},
                "lifecycle_state": state,
                "source_account_id": identity("accounts", "csv"),
                "source_account_name": "csv",
            },
        )
    for number, reason in enumerate(
        ("not seen on import", "stale > 7 days", "maintenance: not seen for 30 days", "Deleted via API", "by olga")
    ):
        gone = make(
            "host_objects",
            f"archived-{number}.example.net",
            {
                "hostname": f"archived-{number}.example.net",
                "object_type": "host",
                "labels": {"site": "eqiad", "cluster": "jobrunner"},
                "source_account_id": identity("accounts", "csv"),
                "source_account_name": "csv",
                "last_import_seen": moment(40),
                "cmdb_templates": [reference("cmdb_templates", "tpl-web")],
            },
        )
        gone.soft_delete(reason=reason)
        gone.save()
    make(
        "host_objects",
        "site-a.example.net",
        {
            "hostname": "site-a.example.net",
            "object_type": "host",
            "labels": {"site": "eqiad"},
            "source_account_id": identity("accounts", "csv"),
            "source_account_name": "csv",
        },
    )
    return made


#: Ages of what imports brought, in days, so that rules about age find some of each.
AGES = (0.0, 0.02, 0.6, 1.5, 2.5, 8.0, 45.0)


def age_hosts():
    for position, made in enumerate(
        Host.objects(source_account_name__in=["csv", "json"], deleted_at__exists=False).order_by("hostname")
    ):
        seen = moment(AGES[position % len(AGES)])
        labels = dict(made.labels)
        # As other systems write times: with a zone, without one, a day only, and what is no time at all.
        form = position % 5
        text = Host.from_json(json.dumps({"last_import_seen": seen})).last_import_seen.isoformat()
        labels["patched"] = (text, f"{text}+02:00", text[:10], text.replace("T", " ").split(".")[0], "unknown")[form]
        if position % 3 == 0:
            labels["monitored"] = ("true", "False", "TRUE")[position // 3 % 3]
        made.labels = labels
        made.last_import_seen = Host.from_json(json.dumps({"last_import_seen": seen})).last_import_seen
        made.save()
