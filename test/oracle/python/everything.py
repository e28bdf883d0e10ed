"""Documents of every type that the oracle has, several with every member that its forms offer."""

from application.models.host import Host
from application.models.host_templates import sync_template_assignment

from parts.accounts import accounts
from parts.cron import cron_groups
from parts.hosts import age_hosts, objects, special_hosts, templates
from parts.inventories import (
    custom_attribute_rules,
    default_project_rules,
    other_project_rules,
    projects,
    switched_off_rules,
)
from parts.others import documents_with_partners, types_without_engine
from parts.users import users


def before_imports():
    accounts()
    templates()
    projects()


def after_imports():
    objects()
    special_hosts()
    age_hosts()
    for made in Host.objects(object_type="template", deleted_at__exists=False):
        sync_template_assignment(made)
    users()
    cron_groups()
    types_without_engine()
    documents_with_partners()
    custom_attribute_rules()
    default_project_rules()
    other_project_rules()
    switched_off_rules()
