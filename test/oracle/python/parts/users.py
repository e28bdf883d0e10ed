"""Users with every role and every restriction."""

from application.models.user import _hash_api_token, api_roles, roles

from making import identity, make, moment

#: Throw-away, as everything here.
PASSWORD = "Oracle-pass-1"


def user(name, **members):
    document = {
        "name": name,
        "email": f"{name}@example.net",
        "api_roles": ["all"],
        "roles": [],
        "global_admin": False,
        "date_added": moment(100),
        "api_tokens": [token("recording", f"cmdb_pat_oracle-throw-away-token-of-{name}")],
        **members,
    }
    made = make("users", name, document)
    made.set_password(PASSWORD)
    made.save()
    return made


def token(name, text, **members):
    return {
        "token_id": identity("api_tokens", text),
        "token_hash": _hash_api_token(text),
        "label": name,
        "prefix": text[:15],
        "created_at": moment(20),
        **members,
    }


def users():
    user("olga", global_admin=True, theme="dark", last_login=moment(2))
    user("tess", restrict_to_templates=["tpl-web"])
    user("axel", restrict_to_accounts=["csv"])
    user("bodo", restrict_to_accounts=["csv"], restrict_to_templates=["tpl-codfw", "tpl-web"])
    user("lost", restrict_to_templates=["no such template"])
    user("past", restrict_to_templates=["tpl-archived"])
    user("rita", readonly=True, roles=[role for role, _label in roles])
    user("dora", disabled=True)
    user("tina", tfa_secret="JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", force_password_change=True)
    user(
        "toni",
        api_tokens=[
            token("monitoring", "cmdb_pat_oracle-throw-away-token-of-toni", last_used_at=moment(1), label="Monitoring"),
            token("expired", "cmdb_pat_oracle-expired-token-of-toni", expires_at=moment(5)),
        ],
    )
    for role, _label in api_roles:
        user(f"only-{role}", api_roles=[role])
    for role, _label in roles:
        user(f"page-{role}", api_roles=[], roles=[role])
    # Nobody may know the password of a user who comes from a directory: there is none.
    make("users", "from-ldap", {"name": "from-ldap", "email": "from-ldap@example.net", "roles": ["host"]})
