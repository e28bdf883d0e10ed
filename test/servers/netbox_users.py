"""Users of a NetBox for tests, and their tokens. Run in its shell (netbox nbshell), as often as one likes."""

from core.models import ObjectType
from users.models import ObjectPermission, Token, User

SECRET = "0123456789abcdef0123456789abcdef01234567"
EVERYTHING = ["view", "add", "change", "delete"]
# What each may do, and with which objects not even that.
USERS = {
    "reader": (["view"], []),
    "halfway": (EVERYTHING, ["ipaddress", "site"]),
    "stranger": ([], []),
}

Token.objects.all().delete()
ObjectPermission.objects.all().delete()
User.objects.all().delete()

admin = User.objects.create_superuser("admin", "admin@example.org", "admin")
Token(user=admin, version=2, key="admin0000001", token=SECRET).save()
Token(user=admin, version=1, token="1" * 40).save()

for name, (actions, without) in USERS.items():
    user = User.objects.create_user(name, f"{name}@example.org", name)
    Token(user=user, version=2, key=f"{name:0<12}", token=SECRET).save()
    if actions:
        may = ObjectPermission.objects.create(name=f"what {name} may do", actions=actions)
        may.object_types.set(ObjectType.objects.exclude(model__in=without))
        may.users.add(user)
    if without:
        may = ObjectPermission.objects.create(name=f"what {name} may see", actions=["view"])
        may.object_types.set(ObjectType.objects.filter(model__in=without))
        may.users.add(user)
