"""Every kind of rule that both products evaluate, over hosts that have a value of every type, each kind in a project of its own."""

from making import host, identity, make, reference, tag
from parts.hosts import template
from parts.rules import rewrite, rule, show, value

#: What labels may hold; host `typed-NN.example.net` has the value of that position.
VALUES = (
    "web",
    "Web, db",
    7,
    0.5,
    True,
    False,
    None,
    "",
    ["web", "db"],
    [],
    {"name": "web", "id": 3, "deep": {"er": "x"}},
    "True",
    "none",
    "0",
    0,
    "2026-10-30T10:00:00",
    2.0,
    ["Web", 7, None, True],
    "ÄÖ Straße",
    " padded ",
    -3,
    "web.example.net/24",
    "['web', 'db']",
    "line one\nline two",
)

TEXTS = [position for position, of in enumerate(VALUES) if isinstance(of, str)]

PROJECTS = ("operators", "names", "rewriting", "showing", "texts", "decided")


def projects():
    for name in PROJECTS:
        make("ansible_projects", name, {"name": name, "enabled": True, "sort_field": 4})


def typed_hosts():
    for position, of in enumerate(VALUES):
        text = VALUES[TEXTS[position % len(TEXTS)]]
        name = f"typed-{position:02}.example.net"
        make(
            "host_objects",
            name,
            {
                "hostname": name,
                "object_type": "host",
                "labels": {
                    "any": of,
                    "text": text,
                    "truth": (True, False, None, "true", "FALSE", "none", "yes", "0", "")[position % 9],
                    "list": (["web", "db"], "web,db", "db , web", "web", [], ["7", "web, db"])[position % 6],
                    "address": f"192.0.2.{position}/255.255.255.0",
                    "interfaces": str([{"name": "eth0", "speed": position}, {"name": "eth1", "mtu": ""}]),
                    "site": {"name": f"Site {position}", "room": {"floor": position % 3}} if position % 2 else "eqiad",
                    "app.kubernetes.io/name": "shop",
                    "kind": ("router", "switch")[position % 2],
                    **({"only_some": "here"} if position % 4 == 0 else {}),
                },
                "inventory": {
                    "syncer_account": "nodes",
                    "facts__os": {"name": "Debian", "release": {"major": position}},
                    "facts__uptime": position,
                    "cmk__state": ("up", "down")[position % 2],
                },
                "cmdb_templates": [reference("cmdb_templates", "by hand")] if position % 3 == 0 else [],
                "source_account_id": identity("accounts", "nodes"),
                "source_account_name": "nodes",
            },
        )


def templates():
    template("by hand", {"owner": "team-{{ kind }}", "kind": "never", "backup": True, "ports": ["22", "443"]})
    template("routers", {"owner": "net-{{ HOSTNAME }}", "level": 3, "of_account": "{{ SOURCE_ACCOUNT }}"}, cmdb_match="kind:router")


def only_typed(project):
    """Keeps the other hosts out, so that a recording holds what it is about."""
    rule(
        "ansible_filter",
        f"{project}: typed hosts only",
        [{"action": "ignore_hosts", "attribute_name": ""}],
        [host("typed-", "swith", negate=True)],
        project=project,
        sort=99,
    )


def everything():
    for project in PROJECTS:
        only_typed(project)
    operators()
    names()
    rewriting()
    showing()
    texts()
    firing()
    decided()


NEEDLES = {
    "equal": ("web", "WEB", "7", "0.5", "True", "none", "", "['web', 'db']", "0", "2.0", "äö strasse", "padded"),
    "in": ("web", "W", "", "7", "tru", "SS", "line two", "', '", "."),
    "not_in": ("web", "W", "", "7", "tru", "SS"),
    "swith": ("web", "WE", "", "ä", "['"),
    "ewith": ("web", "B", "", "0", "se", "']"),
    "regex": ("web", "[wW]eb", r"\d+", "", ".*b$", "(?i)WEB", "True|7", "^$", ".*two"),
    "in_list": ("web, db", "7", "True", "None", " 0 ,", "Web, db", "web,", ""),
    "older_than": ("2d", "1w", "-1"),
    "newer_than": ("2d", "1w", "72h"),
    "ignore": ("",),
}


def checker(project):
    """Makes rules of one condition each, and variables that say which of them hit."""
    number = 0

    def check(name, condition, *more, how="all"):
        nonlocal number
        number += 1
        rule(
            "ansible_customvars",
            f"{project}: {name}",
            [value(name, "1")],
            [condition, *more],
            how=how,
            project=project,
            sort=number,
        )

    return check


def both(check, name, make_condition):
    """A condition, and its negation."""
    check(name, make_condition(False))
    check(f"{name}_not", make_condition(True))


def operators():
    """What a value is compared with: the variables are called by operator and place of the operand in the lists here."""
    rule("ansible_filter", "operators: nothing", show("nosuch"), project="operators")
    check = checker("operators")
    for operator, needles in NEEDLES.items():
        for position, needle in enumerate(needles):
            both(check, f"{operator}_{position}", lambda negate: tag("any", operator, needle, negate=negate))
    for position, needle in enumerate(("true", "False", "none", "yes", "0", "")):
        both(check, f"bool_{position}", lambda negate: tag("truth", "bool", needle, negate=negate))
    for position, needle in enumerate(("web", "db", "7", "", "web, db", "WEB")):
        both(check, f"string_in_list_{position}", lambda negate: tag("list", "string_in_list", needle, negate=negate))
    for position, needle in enumerate(
        ("{{ text }}", "{{ HOSTNAME[:5] }}", "{% if kind == 'router' %}router{% else %}no{% endif %}", "{{ nosuch }}")
    ):
        check(f"template_equal_{position}", tag("text", "equal", needle))
        check(f"template_in_{position}", tag("kind", "in", needle))
    for name in ("SOURCE_ACCOUNT", "facts__uptime", "cmk__state", "app.kubernetes.io/name", "HOSTNAME", "owner", "level"):
        check(f"has_{name}", tag(name, "ignore"))
        check(f"lacks_{name}", tag(name, "ignore", name_match="ignore", negate_name=True))
    check("account", tag("SOURCE_ACCOUNT", "equal", "nodes"))
    check("state", tag("cmk__state", "equal", "UP"))
    check("number_in_list", tag("facts__uptime", "in_list", "3,5,9"))
    check("has_object_of_inventory", tag("facts__os", "ignore"))
    check("has_object", tag("site", "ignore"))
    check("lacks_object", tag("site", "ignore", name_match="ignore", negate_name=True))


def names():
    """Names of attributes and hosts."""
    rule("ansible_filter", "names: nothing", show("nosuch"), project="names")
    check = checker("names")
    for position, (operator, needle) in enumerate(
        (
            ("equal", "kind"),
            ("equal", "Kind"),
            ("in", "only_"),
            ("in", "ONLY"),
            ("not_in", "i"),
            ("in_list", "only_some, nosuch"),
            ("string_in_list", "only_some"),
            ("ewith", "_some"),
            ("swith", "only"),
            ("regex", "only_.*"),
            ("regex", "some"),
            ("ignore", ""),
        )
    ):
        for what in ("equal", "ignore"):
            both(
                check,
                f"tag_{operator}_{position}_{what}",
                lambda negate: tag(needle, what, "here", name_match=operator, negate_name=negate),
            )
    for position, (operator, needle) in enumerate(
        (
            ("equal", "TYPED-03.example.net"),
            ("equal", "typed-03"),
            ("in", "-1"),
            ("not_in", "-1"),
            ("in_list", "typed-01.example.net, typed-02.example.net"),
            ("string_in_list", "typed-05.example.net"),
            ("ewith", "7.example.NET"),
            ("swith", "Typed-2"),
            ("regex", r"typed-\d[05]"),
            ("regex", r"TYPED-0"),
            ("regex", r"example"),
            ("ignore", ""),
        )
    ):
        both(check, f"host_{operator}_{position}", lambda negate: host(needle, operator, negate=negate))
    for how in ("all", "any"):
        router = tag("kind", "equal", "router")
        check(f"{how}_of_three", router, host("typed-1", "swith"), tag("nosuch", "ignore"), how=how)
        check(f"{how}_of_two", router, host("typed-1", "swith", negate=True), how=how)
    for position in range(4):
        rule(
            "ansible_customvars",
            f"names: last match {position}",
            [value("last", f"rule {position}")],
            [host(f"{position}.example.net", "ewith")] if position < 3 else [],
            project="names",
            sort=500,
            last_match=position % 2 == 1,
        )
    rule("ansible_customvars", "names: of the same place, b", [value("place", "b")], project="names", sort=600)
    rule("ansible_customvars", "names: of the same place, a", [value("place", "a")], project="names", sort=600)
    rule("ansible_customvars", "names: disabled", [value("place", "never")], project="names", sort=601, enabled=False)
    rule("ansible_customvars", "names: any of none", [value("none", "never")], project="names", how="any", sort=602)


def rewriting():
    rule(
        "ansible_filter",
        "rewriting: shown",
        show("text", "kind", "kinds", "made*", "first", "last", "beyond", "site_*", "where", "floor", "web", "db", "one", "two", "chain", "empty*", "state", "any_*", "facts*"),
        project="rewriting",
    )
    for position, outcome in enumerate(
        (
            rewrite("kind", "kinds", "string", "jinja", "{{ kind }}s"),
            rewrite("text", "site_{{ cmk__state }}", "jinja"),
            rewrite("address", "first", "string", "split", ".:0"),
            rewrite("address", "last", "string", "split", "/:-1"),
            rewrite("HOSTNAME", "beyond", "string", "split", ".:9"),
            rewrite("made_here", value_mode="string", text="made"),
            rewrite("", "made_of_nothing", "string", "string", "nothing"),
            rewrite("made_by_template", value_mode="jinja", text="{{ only_some|default('else') }} {{ list }}"),
            rewrite("made_undefined", value_mode="jinja", text="{{ nosuch }}"),
            rewrite("list", "{{ get_list(result) }}", "convert_list", "string", "yes"),
            rewrite("interfaces", "['one', 'two']", "convert_list", "jinja", "{{ interfaces }}"),
            rewrite("cmk__state", "state", "string"),
            rewrite("nosuch", "empty_name", "string"),
            rewrite("facts__os", "facts", "string"),
            rewrite("site", "where", "string", "jinja", "{{ site.name|default(site) }}"),
        )
    ):
        rule("ansible_rewrite", f"rewriting {position:02}", [outcome], project="rewriting", sort=position)
    rule(
        "ansible_rewrite",
        "rewriting: a chain",
        [rewrite("only_some", "chain_one", "string"), rewrite("chain_one", "chain", "string", "jinja", "{{ chain_one }}!")],
        [tag("only_some", "ignore")],
        project="rewriting",
        sort=50,
    )
    rule(
        "ansible_rewrite",
        "rewriting: last",
        [rewrite("made_last", value_mode="string", text="yes")],
        [tag("kinds", "equal", "routers")],
        project="rewriting",
        sort=60,
        last_match=True,
    )
    rule("ansible_rewrite", "rewriting: after the last", [rewrite("made_late", value_mode="string", text="yes")], project="rewriting", sort=61)
    rule("ansible_customvars", "rewriting: sees it", [value("seen", "{{ kinds }} {{ made_here }}")], project="rewriting")


def showing():
    rule("ansible_filter", "showing: by name", show("kind", "text", "list", "site", "facts__uptime", "facts__os", "nosuch", "HOSTNAME", "SOURCE_ACCOUNT"), project="showing", sort=1)
    rule("ansible_filter", "showing: beginnings", show("only*", "app.*", "cmk_*", "le*"), project="showing", sort=2)
    rule(
        "ansible_filter",
        "showing: values",
        [
            {"action": "whitelist_attribute_value", "attribute_name": "team-router"},
            {"action": "whitelist_attribute_value", "attribute_name": "Web*"},
            {"action": "whitelist_attribute_value", "attribute_name": "7"},
            {"action": "whitelist_attribute_value", "attribute_name": "True"},
        ],
        [tag("kind", "ignore")],
        project="showing",
        sort=3,
    )
    rule(
        "ansible_filter",
        "showing: without two",
        [{"action": "ignore_hosts", "attribute_name": ""}],
        [host("typed-20", "swith"), tag("any", "equal", "padded")],
        how="any",
        project="showing",
        sort=4,
    )
    rule("ansible_filter", "showing: the last", show("truth"), [tag("kind", "equal", "switch")], project="showing", sort=5, last_match=True)
    rule("ansible_filter", "showing: after it", show("address"), project="showing", sort=6)
    rule("ansible_customvars", "showing: over it", [value("kind", "{{ kind|upper }}"), value("flag", "TRUE"), value("none", "None"), value("number", "12")], project="showing")
    rule("ansible_customvars", "showing: leaves", [value("ignore_host", "x")], [host("typed-21", "swith")], project="showing", sort=5)


TEMPLATES = (
    "{{ any }}",
    "{{ any|string|length }}",
    "{{ any|default('nothing', true) }}",
    "{{ HOSTNAME.split('.')[0]|upper }}",
    "{{ HOSTNAME[:3] }}{{ HOSTNAME[-3:] }}",
    "{{ address.split('/')[0] }}",
    "{{ get_ip_network(address) }}",
    "{{ get_ip_interface(address) }}",
    "{{ get_list(list)|join('+') }}",
    "{{ get_list(list)|length }}",
    "{{ merge_list_of_dicts(interfaces) }}",
    "{{ merge_list_of_dicts(interfaces).name }}",
    "{{ eval(interfaces)[0]['speed'] + 1 }}",
    "{% for one in eval(interfaces) %}{{ one.name }}{% if not loop.last %}, {% endif %}{% endfor %}",
    "{{ cmk_cleanup_tag_id(text) }}",
    "{{ cmk_cleanup_hostname(text) }}",
    "{{ text|hash }} {{ hash_value(list, 12) }} {{ any|hash(4) }}",
    "{{ defined(text) }}",
    "{{ defined(truth|string, 'no') }}",
    "{{ only_some }}",
    "{{ only_some|default('else') }}",
    "{% if only_some is defined %}yes{% else %}no{% endif %}",
    "{% if truth %}yes{% else %}no{% endif %}",
    "{{ facts__os.name }} {{ facts__os['release']['major'] }} {{ facts__uptime * 2 }}",
    "{{ site.name }}",
    "{{ site['room'].floor }}",
    "{{ site.name|default('plain') }}",
    "{% if site is mapping %}{{ site|length }}{% else %}{{ site }}{% endif %}",
    "{% if site is string %}text{% else %}object{% endif %}",
    "{% for key, of in site.items() %}{{ key }} {% endfor %}",
    "{{ text|replace('e', '3')|title|trim }}",
    "{{ kind in ['router'] }} {{ kind == 'router' and 'a' or 'b' }}",
    "{{ '%03d' % facts__uptime }} {{ '{:>4}'.format(facts__uptime) }} {{ facts__uptime / 2 }} {{ facts__uptime // 2 }}",
    "{% set x = kind[0] %}{{ x ~ facts__uptime }}",
    "{{ {'router': 1, 'switch': 2}[kind] }}",
    "{{ datetime.datetime.utcnow().strftime('%Y-%m-%d %H') }}",
    "{{ (datetime.datetime.utcnow() - datetime.timedelta(days=1)).year }}",
    "{{ACCOUNT:plain:username}}-{{ ACCOUNT:nodes:delimiter }}-{{ACCOUNT:nodes:hostname_field}}",
    "{{ACCOUNT:nosuch:username}}",
    "{{ cmk_password('nobody') }}",
    "a\n  {{ kind }}\n  b",
    "{{ nosuch.deep }}",
    "{{ list[0] }}",
    "{{ [1, 2.0, 'x', None, True] }} {{ {'a': 1} }}",
    "a\r\n{{ kind }}\r\nb",
    "plain\ntext of\n\nlines",
    "{{ text.lower().startswith('web') }} {{ text.isdigit() }} {{ text.find('b') }}",
    "{{ syncer_account }}",
    "{{ owner }} {{ level }}",
)


def texts():
    rule("ansible_filter", "texts: nothing", show("nosuch"), project="texts")
    for position, text in enumerate(TEMPLATES):
        rule("ansible_customvars", f"texts {position:02}", [value(f"t_{position:02}", text)], project="texts", sort=position)


def firing():
    """Rules that fire playbooks: see fires.py. What they look at there are labels alone."""
    for position, (name, conditions, outcomes, members) in enumerate(
        (
            ("by a label", [tag("kind", "equal", "router")], ["patch.yml"], {}),
            ("by name", [host("typed-1", "swith"), tag("only_some", "ignore")], ["patch.yml", "setup.yml"], {}),
            ("any", [tag("kind", "equal", "nosuch"), host(r"typed-0[12]", "regex")], ["setup.yml"], {"how": "any"}),
            ("last match", [host("typed-05.example.net", "equal")], ["setup.yml"], {"last_match": True}),
            ("after it", [host("typed-0", "swith")], ["later.yml"], {}),
            ("no playbook of that name", [host("typed-03.example.net", "equal")], ["nosuch.yml"], {}),
            ("switched off", [host("typed-", "swith")], ["patch.yml"], {"enabled": False}),
            ("by a section", [tag("cmk__state", "equal", "down")], ["section.yml"], {}),
            ("by a rule", [tag("kind", "equal", "switch"), tag("second", "ignore")], ["rule.yml"], {}),
            ("by a template", [tag("backup", "ignore")], ["template.yml"], {}),
            ("from a list", [], ["setup.yml"], {"rule_source": "list", "list_source": "hostname;site\ntyped-04.example.net;a\nrow.example.net;b\n;c\n"}),
        )
    ):
        rule(
            "ansible_playbook_fire",
            f"firing: {name}",
            [{"playbook": playbook, "inventory": "ansible", "extra_vars": ""} for playbook in outcomes],
            conditions,
            sort=position,
            **members,
        )


def decided():
    """What is known to be another thing there: see docs/migration.md."""
    rule("ansible_filter", "decided: shown", show("any", "truth", "first", "second", "role", "again", "si*"), project="decided")
    rule("ansible_rewrite", "decided: renamed", [rewrite("kind", "role", "string")], project="decided", sort=1)
    rule("ansible_rewrite", "decided: by its old name", [rewrite("again", value_mode="jinja", text="{{ kind }}")], project="decided", sort=2)
    typed = [host("typed-", "swith")]
    rule("custom_attributes", "Typed: first", [value("first", "{{ kind }}")], typed, sort=200)
    rule("custom_attributes", "Typed: second", [value("second", "{{ first|default('unseen') }}"), value("hour", "True")], typed, sort=201)
