"""Short words for rules that inventories are made with."""

from making import make, reference


def rule(ident, name, outcomes, conditions=(), how="all", project="Default", sort=0, **members):
    document = {
        "name": name,
        "condition_typ": how if conditions else "anyway",
        "conditions": list(conditions),
        "outcomes": outcomes,
        "enabled": True,
        "last_match": False,
        "sort_field": sort,
        **members,
    }
    if ident.startswith("ansible_"):
        document["project"] = reference("ansible_projects", project)
    return make(ident, name, document)


def value(name, text):
    return {"attribute_name": name, "attribute_value": text}


def show(*names):
    return [{"action": "whitelist_attribute", "attribute_name": name} for name in names]


def rewrite(old, new="", name_mode="", value_mode="", text=""):
    return {
        "overwrite_name": name_mode,
        "old_attribute_name": old,
        "new_attribute_name": new,
        "overwrite_value": value_mode,
        "new_value": text,
    }
