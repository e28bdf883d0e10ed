"""Rules that inventories are made with: every operator, every mode, ages and pasted lists."""

from application.plugins.ansible.models import ensure_default_project

from making import PASTED_LIST, complete, host, least, make, reference, tag
from parts.rules import rewrite, rule, show, value


def projects():
    default = ensure_default_project()
    default.delete()
    make(
        "ansible_projects",
        "Default",
        {"name": "Default", "description": "Made by itself", "enabled": True, "sort_field": -1},
    )
    for name, description in (
        ("ages", "Rules about the age of hosts"),
        ("lists", "Rules over pasted lists"),
        ("bare", "No filter: variables only"),
        ("strict", "Shows nearly nothing"),
    ):
        make("ansible_projects", name, {"name": name, "description": description, "sort_field": 3})
    make("ansible_projects", "sleeping", {"name": "sleeping", "enabled": False})


def custom_attribute_rules():
    rule(
        "custom_attributes",
        "Tier of clusters",
        [value("tier", "gold"), value("monitored_by_us", "True")],
        [tag("cluster", "in_list", "jobrunner, elasticsearch, wdqs")],
        sort=1,
    )
    rule(
        "custom_attributes",
        "Where",
        [value("place", "{{ site|upper }}-{{ HOSTNAME.split('.')[0] }}"), value("undefined", "{{ nope }}")],
        [tag("site", "ignore")],
        sort=2,
    )
    rule(
        "custom_attributes",
        "Hashes",
        [
            value("bucket", "{{ HOSTNAME|hash }}"),
            value("bucket12", "{{ hash_value(HOSTNAME, 12) }}"),
            value("secret_ref", "{{ cmk_password('cmk_passwords complete') }}"),
            value("missing_ref", "{{ cmk_password('nobody') }}"),
            value("from_account", "{{ACCOUNT:plain:username}}"),
        ],
        sort=3,
    )
    rule(
        "custom_attributes",
        "Rack of devices",
        [value("rack_name", "{{ rack.name }}"), value("vendor", "{{ device_type['manufacturer'].name }}")],
        [tag("device_type", "ignore")],
        sort=4,
    )
    rule(
        "custom_attributes",
        "Otto's",
        [value("by_otto", "yes")],
        [tag('custom_fields["owner"]', "equal", "Otto")],
        sort=5,
    )
    rule(
        "custom_attributes",
        "Last match ends it",
        [value("ended", "here")],
        [tag("cluster", "equal", "testserver")],
        sort=6,
        last_match=True,
    )
    rule("custom_attributes", "After the last match", [value("ended", "too late")], sort=7)


def default_project_rules():
    rule(
        "ansible_rewrite",
        "Site becomes datacentre",
        [rewrite("site", "datacentre", "string")],
        [tag("site", "ignore")],
        sort=1,
    )
    rule(
        "ansible_rewrite",
        "Jinja name and value",
        [rewrite("cluster", "role_{{ cluster }}", "jinja", "jinja", "{{ cluster }} of {{ HOSTNAME }}")],
        [host("mw", "swith")],
        sort=2,
    )
    rule(
        "ansible_rewrite",
        "Split and text",
        [
            rewrite("clusters", value_mode="split", text="_:0"),
            rewrite("made_up", value_mode="string", text="from nothing"),
        ],
        sort=3,
    )
    rule(
        "ansible_rewrite",
        "Each service",
        [rewrite("services", "{{ get_list(result) }}", "convert_list", "string", "here")],
        [tag("services", "ignore")],
        sort=4,
    )
    rule(
        "ansible_filter",
        "What everybody may see",
        show(
            "datacentre",
            "cluster*",
            "role_*",
            "place",
            "tier",
            "monitored",
            "owner",
            "contact",
            "monitor_url",
            "region",
            "bucket*",
            "secret_ref",
            "missing_ref",
            "list",
            "nested",
            "number",
            "yes",
            "no",
            "empty",
            "made_up",
            "SOURCE_ACCOUNT",
            "from_account",
            "by_otto",
            "ended",
            "apache2",
            "vendor",
            "rack_name",
        ),
        sort=1,
    )
    rule(
        "ansible_filter",
        "By value",
        [
            {"action": "whitelist_attribute_value", "attribute_name": "oncall*"},
            {"action": "whitelist_attribute_value", "attribute_name": "gold"},
        ],
        sort=2,
    )
    rule(
        "ansible_filter",
        "Not these",
        [{"action": "ignore_hosts", "attribute_name": ""}],
        [host("2002", "in"), tag("cluster", "equal", "wdqs")],
        how="any",
        sort=3,
    )
    rule("ansible_filter", "Switched off", show("*"), enabled=False, sort=4)
    rule(
        "ansible_customvars",
        "Connection",
        [
            value("ansible_host", "{{ HOSTNAME }}"),
            value("ansible_port", "22"),
            value("ansible_become", "true"),
            value("dont", "FALSE"),
        ],
        sort=1,
    )
    rule(
        "ansible_customvars",
        "Groups",
        [value("ansible_groups", "{{ cluster }},{{ datacentre }}")],
        [tag("cluster", "ignore")],
        sort=2,
    )
    rule(
        "ansible_customvars",
        "Overwrites",
        [value("tier", "platinum"), value("undefined", "{{ nope }}")],
        [tag("tier", "equal", "GOLD")],
        sort=3,
    )
    for position, condition in enumerate(
        (
            tag("cluster", "swith", "Job"),
            tag("cluster", "ewith", "SERVER"),
            tag("cluster", "regex", "(jobrun|test)(n?)e?r"),
            tag("cluster", "equal", "jobrunner", negate=True),
            tag("cluster", "not_in", "server"),
            tag("list", "string_in_list", "a"),
            tag("services", "in", "apache"),
            tag("yes", "bool", "True"),
            tag("no", "bool", "True", negate=True),
            tag("nosuch", "ignore", negate_name=True),
            tag("nosuch", "ignore", name_match="ignore", negate_name=True),
            tag("cluster", "ignore", name_match="ignore", negate_name=True),
            tag("nosuch", "equal", "x", negate=True),
            tag("clu", "ignore", name_match="swith"),
            tag("clu", "in", "wdqs", name_match="in"),
            tag("datacentre", "equal", "{{ region_code|default('eqiad') }}"),
            tag("number", "equal", "7"),
            tag("facts__os.name", "equal", "Debian"),
        )
    ):
        rule(
            "ansible_customvars",
            f"Operator {position:02}",
            [value(f"hit_{position:02}", "{{ HOSTNAME }}")],
            [condition],
            sort=10 + position,
        )
    for position, condition in enumerate(
        (
            host("mwdebug2001.CODFW.wmnet", "equal"),
            host("wmnet", "ewith"),
            host(r"mw\d+", "regex"),
            host("web01,mwdebug2001.codfw.wmnet", "in_list"),
            host("x", "ignore", negate=True),
            host("mw", "swith", negate=True),
        )
    ):
        rule(
            "ansible_customvars",
            f"Name {position:02}",
            [value(f"name_{position:02}", "1")],
            [condition],
            sort=40 + position,
        )


def other_project_rules():
    rule("ansible_filter", "Ages: shown", show("patched", "site", "cluster"), project="ages")
    for number, condition in enumerate(
        (
            tag("patched", "older_than", "2d"),
            tag("patched", "newer_than", "2d"),
            tag("patched", "older_than", "12h"),
            tag("patched", "newer_than", "30m"),
            tag("patched", "older_than", "1w"),
            tag("patched", "older_than", "1"),
            tag("patched", "older_than", "1.5d"),
            tag("patched", "older_than", "2d", negate=True),
            tag("patched", "newer_than", "2d", negate=True),
            tag("syncer_last_seen", "older_than", "2d"),
            tag("syncer_last_seen", "newer_than", "2d"),
            tag("nosuch", "older_than", "2d", negate=True),
            tag("patch", "newer_than", "1d", name_match="swith"),
        )
    ):
        rule(
            "ansible_customvars",
            f"Age {number:02}",
            [value(f"age_{number:02}", "holds")],
            [condition],
            project="ages",
            sort=number,
        )
    rule(
        "ansible_customvars",
        "When seen",
        [
            value("seen_on", "{{ syncer_last_seen.strftime('%Y-%m-%d') }}"),
            value("seen_text", "{{ syncer_last_seen }}"),
            value("from", "{{ syncer_account }}"),
        ],
        project="ages",
        sort=50,
    )

    rule("ansible_filter", "Lists: shown", show("site"), project="lists")
    rule("ansible_customvars", "Lists: for hosts", [value("kind", "host")], project="lists", sort=1)
    row = [
        value("kind", "row {{ row_idx }}"),
        value("level", "{{ service_level }}"),
        value("team", "{{ _2nd_team }}"),
        value("whole", "{{ row.name }} / {{ HOSTNAME }}"),
        value("quoted", "{{ quoted_header }}"),
        value("other", "{{ site }}"),
    ]
    rule(
        "ansible_customvars",
        "Lists: pasted",
        row,
        [tag("cluster", "equal", "nobody")],
        project="lists",
        sort=2,
        rule_source="list",
        list_source=PASTED_LIST,
    )
    rule(
        "ansible_customvars",
        "Lists: without a word",
        [value("kind", "old list")],
        project="lists",
        sort=3,
        list_source="host name\tname\n\told.example.net\n",
    )
    rule(
        "ansible_customvars",
        "Lists: text that is not used",
        [value("unused", "no row")],
        project="lists",
        sort=4,
        rule_source="hosts",
        list_source="name\nnever.example.net\n",
    )
    rule(
        "ansible_customvars",
        "Lists: a host of ours",
        [value("kind", "row over a host")],
        project="lists",
        sort=5,
        rule_source="list",
        list_source="name,on\nmwdebug2001.codfw.wmnet,True\n",
    )
    rule(
        "ansible_customvars",
        "Lists: the same again",
        [value("kind", "row over a row")],
        project="lists",
        sort=6,
        rule_source="list",
        list_source="name|on\nlist-one.example.net|no\n",
    )
    rule(
        "ansible_customvars",
        "Lists: cannot be read",
        [value("kind", "broken")],
        project="lists",
        sort=7,
        rule_source="list",
        list_source="name;name\nx.example.net;y\n",
    )
    rule(
        "ansible_customvars",
        "Lists: nothing in it",
        [value("kind", "empty")],
        project="lists",
        sort=8,
        rule_source="list",
        list_source="",
    )

    rule(
        "ansible_customvars",
        "Bare: variables only",
        [value("site_of_it", "{{ site }}"), value("nested_text", "{{ nested.deep.er }}")],
        project="bare",
    )
    rule("ansible_rewrite", "Strict: rename", [rewrite("site", "where", "string")], project="strict")
    rule(
        "ansible_filter",
        "Strict: nearly nothing",
        show("where"),
        [tag("where", "equal", "codfw")],
        project="strict",
        last_match=True,
    )

    rule(
        "ansible_playbook_fire",
        "Fire: patch",
        [{"playbook": "patch.yml", "inventory": "ages", "extra_vars": "region: {{ site }}\nports: [22, 443]\n"}],
        [tag("patched", "older_than", "30d")],
        project="ages",
        enabled=False,
    )
    rule(
        "ansible_playbook_fire",
        "Fire: from a list",
        [{"playbook": "setup.yml"}],
        rule_source="list",
        list_source="hostname\nlist-one.example.net\n",
        enabled=False,
    )


def switched_off_rules():
    """Rules that use every member there is, switched off, so that inventories stay what the rules above make."""
    for ident in (
        "ansible_filter",
        "ansible_rewrite",
        "ansible_customvars",
        "ansible_playbook_fire",
        "custom_attributes",
    ):
        members = {"enabled": False}
        if ident.startswith("ansible_"):
            members["project"] = reference("ansible_projects", "sleeping")
        make(ident, f"{ident} complete", complete(ident, f"{ident} complete", **members))
        make(ident, f"{ident} least", least(ident, f"{ident} least"))
