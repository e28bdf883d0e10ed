"""Makes documents with the oracle's own models: what it would not accept is an error here."""

import datetime
import hashlib
import importlib
import json

from application.plugins.rules.rule_definitions import rules
from mongoengine import (
    BooleanField,
    DateTimeField,
    DictField,
    EmbeddedDocumentField,
    IntField,
    ListField,
    ReferenceField,
    StringField,
)

MODELS = {ident: getattr(importlib.import_module(entry[0]), entry[1]) for ident, entry in rules.items()}


def identity(ident, name):
    """The same id for the same document in every recording, so that recordings can be compared."""
    kind = "host_objects" if ident == "cmdb_templates" else ident
    return hashlib.sha256(f"{kind}/{name}".encode()).hexdigest()[:24]


def reference(ident, name):
    return {"$oid": identity(ident, name)}


def moment(days_ago=0.0):
    """An instant before now, as documents have it."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return {"$date": int((now - datetime.timedelta(days=days_ago)).timestamp() * 1000)}


def make(ident, name, document):
    """Reads the document as an import would, and saves it with all checks of the model."""
    model = MODELS[ident]
    made = model.from_json(json.dumps({"_id": reference(ident, name), **document}))
    try:
        made.save(force_insert=True)
    except Exception as error:
        raise RuntimeError(f"{ident} {name!r}: {error}") from error
    return made


def host(name, match, *, negate=False):
    return {"match_type": "host", "hostname_match": match, "hostname": name, "hostname_match_negate": negate}


def tag(name, match="equal", value="", *, name_match="equal", negate=False, negate_name=False):
    return {
        "match_type": "tag",
        "hostname_match": "equal",
        "hostname": "",
        "hostname_match_negate": False,
        "tag_match": name_match,
        "tag": name,
        "tag_match_negate": negate_name,
        "value_match": match,
        "value": value,
        "value_match_negate": negate,
    }


NAME_OPERATORS = ["equal", "in", "not_in", "in_list", "string_in_list", "ewith", "swith", "regex", "bool", "ignore"]
VALUE_OPERATORS = [*NAME_OPERATORS[:-1], "older_than", "newer_than", "ignore"]
OPERANDS = {"older_than": "2d", "newer_than": "12h", "regex": "^web-[0-9]+", "bool": "True", "in_list": "web, db"}

EVERY_CONDITION = [
    *[
        host(OPERANDS.get(operator, "web"), operator, negate=negate)
        for operator in NAME_OPERATORS
        for negate in (False, True)
    ],
    *[
        tag("role", operator, OPERANDS.get(operator, "web"), negate=negate)
        for operator in VALUE_OPERATORS
        for negate in (False, True)
    ],
    *[
        tag("role", "ignore", name_match=operator, negate_name=negate)
        for operator in NAME_OPERATORS
        for negate in (False, True)
    ],
]

PASTED_LIST = (
    'hostname;name;Service Level;"Quoted; header";2nd Team\n'
    'list-one.example.net;One;gold;"a;b";net\n'
    "\n"
    'list-two.example.net;Two;silver;"says ""hi""";TRUE\n'
    ";by-name.example.net;bronze;;\n"
)

# Texts as people enter them, where "some text" would be a strange value.
TEXTS = {
    "action_param": "{{ site }}/linux",
    "attribute_name": "cmdb_owner",
    "attribute_names": "cmk_hw_sw_inv__hardware*,cmk__hostname",
    "attribute_value": "{{ owner | default('nobody') }}",
    "comment": "Made by a rule for {{ HOSTNAME }}",
    "condition_host": "{{ HOSTNAME }}",
    "condition_label_template": "site:{{ site }}",
    "condition_service": "Filesystem /var",
    "condition_service_label": "tier:{{ tier }}",
    "cmk_version": "2.4.0p12",
    "description": "{{ HOSTNAME }} at {{ site }}",
    "documentation": "As the team agreed in spring.",
    "documentation_url": "https://wiki.example.net/monitoring",
    "email": "{{ HOSTNAME }}@example.net",
    "end_time_h": "4",
    "end_time_m": "30",
    "every_template": "{{ maintenance_every }}",
    "extra_vars": "region: {{ site }}\nports:\n  - 22\n  - 443\n",
    "folder": "/linux/{{ site }}",
    "foreach": "cluster",
    "group_multiply_list": "{{ clusters }}",
    "ldap_account": "directory",
    "ldap_attributes": "mail,cn,mobile",
    "ldap_base_dn": "ou=groups,dc=example,dc=net",
    "ldap_group_filter": "(cn={{ name }})",
    "list_to_loop": "services",
    "list_variable_name": "interfaces",
    "match_folder": "/linux",
    "match_host_groups": "web,db",
    "match_hosts": "{{ HOSTNAME }}",
    "offset_days_template": "{{ maintenance_offset }}",
    "param": "{{ cluster }}",
    "password": "throw-away for Checkmk",
    "playbook": "patch.yml",
    "rule_template": "{'id': '{{ HOSTNAME }}', 'pack_id': 'default', 'nodes': []}",
    "ruleset": "checkgroup_parameters:filesystem",
    "primary_ruleset": "checkgroup_parameters:filesystem",
    "start_day_template": "{{ maintenance_day }}",
    "start_time_h": "2",
    "start_time_m": "0",
    "duration_h": "3",
    "target": "12/345",
    "value": "{{ site }}",
    "value_template": "{'levels': (80.0, 90.0)}  {# percent #}",
    "webserver_certificate": "-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----\n",
}


def choices_of(field):
    return [choice[0] if isinstance(choice, (list, tuple)) else choice for choice in field.choices or []]


def value_of(field, name):
    """Something that a person could have entered into this member."""
    if choices_of(field):
        return [choice for choice in choices_of(field) if choice][0]
    if isinstance(field, BooleanField):
        return True
    if isinstance(field, IntField):
        return 3
    if isinstance(field, DateTimeField):
        return moment(3)
    if isinstance(field, DictField):
        return {"key": "value"}
    text = TEXTS.get(name) or (f"{{{{ {name} }}}}" if name.endswith("_template") else f"{name.replace('_', ' ')} of it")
    limit = getattr(field, "max_length", None)
    return text[:limit] if limit else text


def embedded(document):
    """A list of embedded documents that together use every choice, and a last one with nothing but what is required."""
    fields = {field.db_field: field for field in document._fields.values()}
    complete = {name: value for name, field in fields.items() if (value := filled(field, name)) is not None}
    variants = [complete]
    for name, field in fields.items():
        variants += [{**complete, name: choice} for choice in choices_of(field) if choice != complete.get(name)]
    # Some texts have a number as their default, which their own check refuses: forms always send them.
    needed = [
        name
        for name, field in fields.items()
        if field.required or (isinstance(field, StringField) and field.default == 0)
    ]
    least = {name: complete[name] for name in needed if name in complete}
    return [*variants, least] if least else variants


def filled(field, name):
    if isinstance(field, ListField):
        inner = field.field
        if isinstance(inner, EmbeddedDocumentField):
            return EVERY_CONDITION if inner.document_type.__name__ == "FullCondition" else embedded(inner.document_type)
        if isinstance(inner, ReferenceField):
            return None
        return choices_of(inner) or ["first", "second"]
    if isinstance(field, EmbeddedDocumentField):
        return embedded(field.document_type)[0]
    if isinstance(field, ReferenceField):
        return None
    return value_of(field, name)


def complete(ident, name, **members):
    """A document in which every member of the model has a value."""
    document = {}
    for field in MODELS[ident]._fields.values():
        key = field.db_field
        if key == "_id" or key in ("list_source", "rule_source", "static_rule", "webhook_token"):
            continue
        # Members for previews are written as empty texts by forms, when at all.
        value = "" if key.startswith("render_") else filled(field, key)
        if value is not None:
            document[key] = value
    if "name" in document:
        document["name"] = name
    return {**document, **members}


def least(ident, name, **members):
    """A document with what is required, and how it matches."""
    fields = {field.db_field: field for field in MODELS[ident]._fields.values()}
    document = {key: value_of(field, key) for key, field in fields.items() if field.required}
    if "condition_typ" in fields:
        document.update(condition_typ="anyway", outcomes=[])
    if "name" in fields:
        document["name"] = name
    return {**document, **members}
