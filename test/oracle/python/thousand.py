"""A thousand hosts and two hundred rules of every kind that inventories are made with."""

from parts.accounts import account
from parts import kinds
from parts.hosts import age_hosts, template
from parts.inventories import projects
from parts.rules import rewrite, rule, show, value
from parts.users import user
from application.models.host import Host
from application.models.host_templates import sync_template_assignment
from making import host, make, tag

SITES = ("eqiad", "codfw", "ulsfo", "magru", "esams", "eqsin", "drmrs")
CLUSTERS = (
    "kubernetes",
    "elasticsearch",
    "cache_upload",
    "cache_text",
    "restbase",
    "ml_serve",
    "wdqs",
    "jobrunner",
    "dnsbox",
    "ncredir",
    "thanos",
    "swift",
    "maps",
    "kibana7",
    "dse-k8s",
    "cloudelastic",
    "druid-public",
    "testserver",
    "ldap-ro",
)
SERVICES = ("kubesvc", "cdn", "ats-be", "elasticsearch", "nginx", "restbase", "wdqs", "apache2", "kubemaster", "recdns")


def before_imports():
    account("nodes", "csv", {"path": "all-nodes.csv", "hostname_field": "host", "delimiter": ",", "encoding": "utf-8"})
    account("devices", "json", {"path": "all-devices.json", "hostname_field": "name", "data_key": "results"})
    account("csv", "csv")
    account("json", "json")
    account("plain", "csv", {"path": "nosuch.csv"})
    projects()
    kinds.projects()
    make("ansible_projects", "network", {"name": "network", "enabled": True, "sort_field": 1})


def after_imports():
    for position, site in enumerate(SITES):
        labels = {
            "region": f"region-{position}",
            "gateway": "gw.{{ site }}.example.net",
            "note": "{{ cluster }} in {{ site }}",
        }
        template(f"site {site}", labels, cmdb_match=f"site:{site}")
    kinds.templates()
    kinds.typed_hosts()
    for made in Host.objects(object_type="template"):
        sync_template_assignment(made)
    # It makes ages for what two accounts brought.
    Host.objects(source_account_name="nodes").update(source_account_name="csv")
    Host.objects(source_account_name="devices").update(source_account_name="json")
    age_hosts()
    Host.objects(source_account_name="csv").update(source_account_name="nodes")
    Host.objects(source_account_name="json").update(source_account_name="devices")
    user("olga", global_admin=True)
    attributes()
    rewrites()
    filters()
    variables()
    ages()
    lists()
    kinds.everything()


def attributes():
    for position, cluster in enumerate(CLUSTERS):
        texts = (
            "{{ cluster|upper }}",
            "{{ HOSTNAME|hash }}",
            "{{ services.split(',')[0] }}",
            "True",
            "{{ nope }}",
            f"plain {position}",
        )
        rule(
            "custom_attributes",
            f"Of {cluster}",
            [value(f"of_{cluster}", texts[position % len(texts)])],
            [tag("cluster", "equal", cluster)],
            sort=position,
        )
    for position, service in enumerate(SERVICES):
        rule(
            "custom_attributes",
            f"Runs {service}",
            [value("runs", service), value(f"port_{service}", str(8000 + position))],
            [tag("services", "in", service), tag("site", "not_in", "magru")],
            sort=50 + position,
        )
    rule(
        "custom_attributes",
        "Rack",
        [
            value("rack_name", "{{ rack.name|replace(' ', '_') }}"),
            value("maker", "{{ device_type.manufacturer.name }}"),
        ],
        [tag("rack", "ignore")],
        sort=70,
    )


def rewrites():
    for position, site in enumerate(SITES):
        rule(
            "ansible_rewrite",
            f"Place of {site}",
            [rewrite(f"place_{site}", value_mode="jinja", text="{{ site }}/{{ cluster }}")],
            [tag("site", "equal", site)],
            sort=position,
        )
    rule(
        "ansible_rewrite",
        "First of names",
        [rewrite("clusters", value_mode="split", text="_:0")],
        [tag("clusters", "ignore")],
        sort=20,
    )
    rule(
        "ansible_rewrite",
        "Clusters are families",
        [rewrite("clusters", "families", "string")],
        [tag("clusters", "ignore")],
        sort=21,
    )
    rule(
        "ansible_rewrite",
        "Each service",
        [rewrite("services", "{{ get_list(result) }}", "convert_list", "string", "on")],
        [tag("services", "ignore")],
        sort=22,
    )
    rule(
        "ansible_rewrite",
        "Network: site name",
        [rewrite("site", "where", "string", "jinja", "{{ site.name|lower }}")],
        [tag("device_type", "ignore")],
        project="network",
        sort=1,
    )
    for position in range(8):
        rule(
            "ansible_rewrite",
            f"Made of nothing {position}",
            [rewrite(f"made_{position}", f"made_{{{{ '{position}' }}}}_here", "jinja", "string", f"text {position}")],
            [host(f"0{position}", "in")],
            project="network",
            sort=10 + position,
        )


def filters():
    rule(
        "ansible_filter",
        "All of ours",
        show(
            "cluster",
            "families",
            "place_*",
            "of_*",
            "runs",
            "port_*",
            "region",
            "gateway",
            "note",
            "monitored",
            *SERVICES,
        ),
        sort=1,
    )
    for position, site in enumerate(SITES):
        rule(
            "ansible_filter",
            f"Site of {site}",
            show("site", f"place_{site}"),
            [tag("site", "equal", site)],
            sort=2 + position,
        )
    for position, cluster in enumerate(("testserver", "cloudelastic", "druid-public", "ldap-ro")):
        rule(
            "ansible_filter",
            f"Without {cluster}",
            [{"action": "ignore_hosts", "attribute_name": ""}],
            [tag("cluster", "equal", cluster)],
            sort=20 + position,
        )
    rule("ansible_filter", "Values", [{"action": "whitelist_attribute_value", "attribute_name": "region-*"}], sort=30)
    rule(
        "ansible_filter",
        "Network",
        show("where", "rack_name", "maker", "status", "serial", "made_*", "custom_fields"),
        project="network",
    )
    rule(
        "ansible_filter",
        "Network: devices only",
        [{"action": "ignore_hosts", "attribute_name": ""}],
        [tag("device_type", "ignore", name_match="ignore", negate_name=True)],
        project="network",
        sort=1,
    )
    rule("ansible_filter", "Ages", show("patched", "site"), project="ages")
    rule("ansible_filter", "Lists", show("site"), project="lists")


def variables():
    operators = (
        ("equal", "{0}"),
        ("in", "{0}"),
        ("not_in", "{0}"),
        ("in_list", "{0}, other"),
        ("swith", "{0}"),
        ("ewith", "{0}"),
        ("regex", "{0}$"),
        ("string_in_list", "{0}"),
    )
    number = 0
    for position, (operator, form) in enumerate(operators):
        for cluster in CLUSTERS[position % 3 :: 3]:
            number += 1
            negate = number % 5 == 0
            rule(
                "ansible_customvars",
                f"Cluster {number:03}",
                [value(f"cluster_{number:03}", "{{ families|default(cluster) }}")],
                [tag("cluster", operator, form.format(cluster), negate=negate)],
                sort=number,
            )
    for site in SITES:
        for operator in ("equal", "swith", "regex"):
            number += 1
            conditions = [tag("site", operator, site), host("kubernetes" if number % 2 else "cp", "swith")]
            rule(
                "ansible_customvars",
                f"Site {number:03}",
                [
                    value(f"site_{number:03}", "{{ HOSTNAME.split('.')[1] }}"),
                    value("flag", "true" if number % 2 else "False"),
                ],
                conditions,
                how="all" if number % 3 else "any",
                sort=number,
            )
    for name, conditions in (
        ("by name", [host("wmnet", "ewith")]),
        ("by pattern", [host(r"(cp|mw)\d{4}", "regex")]),
        ("nested", [tag("app", "ignore", name_match="ignore", negate_name=True)]),
        ("any name", [tag("clus", "equal", "wdqs", name_match="swith")]),
        ("monitored", [tag("monitored", "bool", "true")]),
    ):
        number += 1
        rule(
            "ansible_customvars",
            f"Some {name}",
            [
                value(f"some_{number:03}", "{{ site|upper }}{% if cluster %}-{{ cluster }}{% endif %}"),
                value("ansible_groups", "{{ cluster }}"),
            ],
            conditions,
            sort=number,
        )
    rule(
        "ansible_customvars",
        "Network: connection",
        [
            value("ansible_host", "{{ HOSTNAME }}"),
            value("vendor", "{{ maker|lower }}"),
            value("deep", "{{ device_type['manufacturer']['name'] }}"),
        ],
        project="network",
    )
    for position in range(10):
        rule(
            "ansible_customvars",
            f"Network {position}",
            [value(f"net_{position}", f"{{{{ HOSTNAME[{position}:] }}}}")],
            [host(f"{position}", "in")],
            project="network",
            sort=position,
            last_match=position == 9,
        )
    for position, service in enumerate(SERVICES):
        for operator in ("in", "string_in_list"):
            conditions = [tag("services", operator, service, negate=position % 4 == 3)]
            outcome = value(f"has_{operator}_{position}", "{{ services|length }} of {{ HOSTNAME }}")
            rule("ansible_customvars", f"Service {service} {operator}", [outcome], conditions, sort=90 + position)


def ages():
    operands = ("30m", "12h", "1d", "2", "1.5d", "1w", "6w")
    for position, operand in enumerate(operands):
        for operator in ("older_than", "newer_than"):
            for attribute in ("patched", "syncer_last_seen"):
                name = f"{attribute} {operator} {operand}"
                condition = tag(attribute, operator, operand, negate=position % 3 == 2)
                rule(
                    "ansible_customvars",
                    f"Ages: {name}",
                    [value(f"is_{attribute}_{operator}_{position}", "yes")],
                    [condition],
                    project="ages",
                    sort=position,
                )


def lists():
    for position, separator in enumerate((";", ",", "\t", "|")):
        rows = [separator.join(("name", "Service Level", "2nd Team", "On Call"))]
        rows += [
            separator.join(
                (
                    f"row-{position}-{row}.example.net",
                    ("gold", "silver")[row % 2],
                    f"team {row}",
                    ("TRUE", "no", "")[row % 3],
                )
            )
            for row in range(25)
        ]
        outcomes = [
            value("level", "{{ service_level }}"),
            value("team", "{{ _2nd_team|title }}"),
            value("number", "{{ row_idx }}"),
            value("named", "{{ HOSTNAME }} {{ row.on_call }}"),
            value("none", "{{ site }}"),
        ]
        rule(
            "ansible_customvars",
            f"List {position}",
            outcomes,
            project="lists",
            sort=position,
            rule_source="list",
            list_source="\n".join(rows),
        )
    rule("ansible_customvars", "Lists: hosts", [value("kind", "host")], project="lists", sort=9)
