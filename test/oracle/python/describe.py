"""Writes what the oracle's models say about its rule types and jobs: rule-types.json.

What a model cannot say (which members are secrets, which texts name other documents) stands in the tables below.
"""

import importlib
import json
import sys

from application import cron_register
from application.plugins.rules.rule_definitions import rules
from mongoengine import EmbeddedDocumentField, ListField, ReferenceField

# How a secret lies in an exported document:
#   fernet  encrypted with the installation's CRYPTOGRAPHY_KEY
#   scrypt  a password hash of werkzeug, "scrypt:N:r:p$salt$hex"
#   sha256  the hex digest of a token
#   clear   as it was entered
SECRETS = {
    "accounts": {
        "password_crypted": "fernet",
        "password": "clear",
        "custom_fields[name=api_token].value": "clear",
        "custom_fields[name=bakery_passphrase].value": "clear",
        "custom_fields[name=custom_headers].value": "clear",
        "custom_fields[name=http_proxy].value": "clear",
        "custom_fields[name=request_headers].value": "clear",
    },
    "users": {"pwdhash": "scrypt", "tfa_secret": "clear", "api_tokens[].token_hash": "sha256"},
    "cmk_passwords": {"password_crypted": "fernet"},
    "cmk_user": {"password": "clear"},
    "cmk_site_settings": {
        "inital_password": "clear",
        "subscription_password": "clear",
        "cmk_secret": "clear",
        "webserver_certificate_private_key": "clear",
    },
    "cron_groups": {"webhook_token_hash": "sha256", "webhook_token": "clear"},
}

# Members that hold names (not ids) of other documents: where -> which type.
NAMES_OF = {
    "accounts": {
        "custom_fields[name=account_filter].value": "accounts",
        "custom_fields[name=limit_by_accounts].value": "accounts",
    },
    "users": {"restrict_to_accounts[]": "accounts", "restrict_to_templates[]": "cmdb_templates"},
    "host_objects": {
        "source_account_name": "accounts",
        "project": "projects",
        "folder": "cmk_folder_pool.folder_name",
    },
    "cmdb_templates": {"source_account_name": "accounts", "project": "projects"},
    "projects": {
        "limit_by_accounts[]": "accounts",
        "deny_by_accounts[]": "accounts",
        "rule_limit_by_accounts[]": "accounts",
        "rule_deny_by_accounts[]": "accounts",
    },
    "cmk_rules": {"project": "projects"},
    "cmk_dcd_rules": {"project": "projects"},
    "cmk_user": {"generated_by_rule": "cmk_user_generation"},
    "cmk_user_generation": {"outcome.ldap_account": "accounts"},
    "notification_channels": {"account": "accounts"},
    "saved_searches": {"owner_email": "users.email"},
    "ansible_playbook_fire": {"outcomes[].inventory": "ansible_projects"},
    "cmk_site_pool": {"member_sites[].site_id": "cmk_sites"},
    "syncer_rule_automation": {"rule_type": "rule type"},
}

# The model of hosts is that of templates, too.
TEMPLATES = {"cmdb_templates[]": "cmdb_templates"}

# Ids that are kept as text instead of as {"$oid"}.
IDS_AS_TEXT = {
    "host_objects": {"source_account_id": "accounts"},
    "cmdb_templates": {"source_account_id": "accounts"},
}

NOT_A_NAME = {"cmk_tags": "group_id", "cmk_inventory": "attribute_names", "cmk_user": "user_id", "system_config": None}


def model_of(entry):
    return getattr(importlib.import_module(entry[0]), entry[1])


def choices_of(field):
    return [choice[0] if isinstance(choice, (list, tuple)) else choice for choice in field.choices or []]


def kind_of(field):
    return type(field).__name__.removesuffix("Field").lower()


def members_of(document, references, embedded, path=""):
    members = {}
    for name, field in document._fields.items():
        if name == "id":
            continue
        inner = field.field if isinstance(field, ListField) else field
        here = f"{path}{field.db_field}{'[]' if isinstance(field, ListField) else ''}"
        member = {"kind": kind_of(field)}
        if isinstance(field, ListField):
            member["of"] = kind_of(inner)
        if field.required:
            member["required"] = True
        if field.unique:
            member["unique"] = True
        if isinstance(field.default, (str, int, bool, float)):
            member["default"] = field.default
        choices = choices_of(field) or choices_of(inner)
        if choices:
            member["choices"] = "the names of jobs" if set(choices) == set(cron_register) else choices
        if isinstance(inner, EmbeddedDocumentField):
            other = inner.document_type
            member["document"] = other.__name__
            embedded[other.__name__] = members_of(other, references, embedded, f"{here}.")
        if isinstance(inner, ReferenceField):
            references[here] = inner.document_type.__name__
        members[field.db_field] = member
    return members


def name_member(ident, document):
    if ident in NOT_A_NAME:
        return NOT_A_NAME[ident]
    return "hostname" if "hostname" in document._fields else "name"


def rule_types():
    idents = {}
    for ident, entry in rules.items():
        idents.setdefault(entry[1], ident)
    types = {}
    embedded = {}
    for ident in sorted(rules):
        document = model_of(rules[ident])
        references = {}
        members = members_of(document, references, embedded)
        types[ident] = {
            "model": rules[ident][1],
            "nameMember": name_member(ident, document),
            "uniqueMembers": [name for name, member in members.items() if member.get("unique")],
            "requiredMembers": [name for name, member in members.items() if member.get("required")],
            "previewMembers": [name for name in members if name.startswith("render_")],
            "secrets": SECRETS.get(ident, {}),
            "references": {
                **{
                    path: {"type": TEMPLATES.get(path, idents[model]), "by": "id"} for path, model in references.items()
                },
                **{path: {"type": other, "by": "name"} for path, other in NAMES_OF.get(ident, {}).items()},
                **{path: {"type": other, "by": "id as text"} for path, other in IDS_AS_TEXT.get(ident, {}).items()},
            },
            "pastedList": "list_source" in members,
            "refusesUnknownMembers": bool(document._meta.get("strict", True)),
            "members": members,
        }
    return types, embedded


def jobs():
    return {name: f"{job.__module__}.{job.__qualname__}" for name, job in sorted(cron_register.items())}


def lines(value, depth, indent=""):
    """JSON with a line for each member down to a depth, so that differences between versions stay readable."""
    if depth == 0 or not isinstance(value, dict) or not value:
        return json.dumps(value)
    inner = indent + "  "
    members = [f"{inner}{json.dumps(name)}: {lines(member, depth - 1, inner)}" for name, member in value.items()]
    return "{\n" + ",\n".join(members) + f"\n{indent}}}"


def main(path):
    types, embedded = rule_types()
    facts = {
        "product": "cmdbsyncer 4.4.0",
        "types": types,
        "embeddedDocuments": dict(sorted(embedded.items())),
        "jobs": jobs(),
    }
    with open(path, "w", encoding="utf-8") as out:
        out.write(lines(facts, 4) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
