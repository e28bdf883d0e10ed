"""Fills the oracle with hosts and rules for NetBox: netbox.py <address> <token> <number of hosts>.

What its exports make of them, ours are compared with. Hosts whose label `beyond` is set are hit by rules of which it does less than
they say.
"""

import stillness  # noqa: F401
import json
import sys

from application import app

from making import make, tag
from parts.accounts import account
from parts.rules import rewrite, rule

SITES = ("Berlin", "München", "St. Gallen")
ROLES = ("Server", "Switch", "Firewall")
MODELS = (("Dell", "PowerEdge R640"), ("HPE", "ProLiant DL380"), ("Cisco", "C9300-48P"))
# NetBox takes a platform of a manufacturer for device types of that one alone.
PLATFORMS = ("Debian 12", "Windows Server 2022", "IOS-XE")


def network_of(number):
    return f"10.{number // 250}.{number % 250}"


def ports_of(number):
    network = network_of(number)
    return [
        {
            "name": f"Gi1/0/{port}",
            "ip": f"{network}.{port}/24",
            "note": f"port {port} of {number}" if number % 3 else "",
            "mtu": "9000" if port == 2 else "1500",
            "type": ("1000base-t", "10gbase-x-sfpp", "carrier pigeon")[number % 3],
        }
        for port in (1, 2)
    ]


def labels_of(number):
    """Of ten, six are devices, two virtual machines, one a cluster and one a contact."""
    kind = ("device", "device", "vm", "device", "device", "cluster", "vm", "device", "device", "contact")[number % 10]
    labels = {"kind": kind, "number": str(number), "site_name": SITES[number % 3]}
    if number % 20 in (0, 2, 5, 9):
        labels["beyond"] = "yes"
    if kind in ("device", "vm"):
        maker, model = MODELS[number % len(MODELS)]
        labels |= {
            "maker": maker,
            "model": model,
            "purpose": ROLES[number % 3],
            "system": PLATFORMS[number % len(PLATFORMS)],
            "sn": "" if number % 7 == 0 else f"SN-{number:05}",
            "ports": json.dumps(ports_of(number)),
            "ip": ports_of(number)[0]["ip"],
            "network": f"{network_of(number)}.0/24",
            "floor": str(number % 12),
        }
    if kind == "vm":
        labels["state"] = ("active", "offline", "planned")[number % 3]
    if kind == "contact":
        labels |= {"mail": f"team{number}@example.net" if number % 4 else "nobody", "phone": f"+49 30 {number}"}
    return labels


def hosts(count):
    for number in range(count):
        name = f"{labels_of(number)['kind']}{number:04}.example.net"
        document = {"hostname": name, "labels": labels_of(number), "source_account_name": "cmdb", "source_account_id": "cmdb"}
        make("host_objects", name, {**document, "object_type": "host", "is_object": False, "available": True})


def outcomes(values, *, list_name=None):
    """`list_name` is where the values that speak of an element of it are taken from."""
    found = []
    for action, param in values.items():
        outcome = {"action": action, "param": param}
        if list_name is not None:
            outcome["list_variable_name"] = list_name if "LIST_VAR" in param else ""
        found.append(outcome)
    return found


def of(kind, ident, name, made, *, beyond=False, sort=0):
    conditions = [tag("kind", "equal", kind), *([tag("beyond", "equal", "yes")] if beyond else [])]
    rule(f"netbox_{ident}", name, made, conditions, sort=sort)


def rules():
    rule("netbox_rewrites", "Sites are called otherwise", [rewrite("site_name", "place", "string", "jinja", "{{ site_name }}")],
         [tag("site_name", "ignore")])
    machine = {
        "role": "{{ purpose }}",
        "platform": "{{ system }}",
        "platform.manufacturer": "{{ maker }}",
        "site": "{{ place }}",
        "primary_ip4": "{{ ip }}",
        "custom_field": "floor:{{ floor }}",
    }
    device = {
        "device_type": "{{ model }}",
        "device_type.manufacturer": "{{ maker }}",
        "serial": "{{ sn }}",
        **machine,
    }
    of("device", "devices", "Devices", outcomes(device))
    of("vm", "vms", "Machines", outcomes({**machine, "status": "{{ state }}"}))
    of("vm", "vms", "Machines of clusters", outcomes({"cluster": "kvm of {{ place }}", "serial": "{{ sn }}"}), beyond=True, sort=1)
    of("cluster", "cluster", "Clusters", outcomes({
        "name": "kvm of {{ place }}" , "type": "KVM", "status": "active", "description": "all of {{ place }}"}))
    of("cluster", "cluster", "Clusters of a site", outcomes({"site": "{{ place }}"}), beyond=True, sort=1)
    port = {
        "name": "{{ LIST_VAR.name }}",
        "description": "{{ LIST_VAR.note }}",
        "mtu": "{{ LIST_VAR.mtu }}",
        "ipv4_addresses": "{{ LIST_VAR.ip }}",
        "ipv6_addresses": "",
    }
    of("device", "dcim_interfaces", "Ports", outcomes(
        {**port, "type": "{{ LIST_VAR.type }}", "device": "{{ HOSTNAME }}", "mode": "access"}, list_name="ports"))
    of("vm", "virtual_interfaces", "Ports of machines", outcomes(port, list_name="ports"))
    address = {
        "addresses": "['{{ LIST_VAR.ip }}']",
        "status": "active",
        "assigned_object_id": "{{ LIST_VAR.name }}",
        "description": "{{ LIST_VAR.note }}",
    }
    of("device", "ips", "Addresses", outcomes({**address, "assigned_object_type": "dcim.interface"}, list_name="ports"))
    of("vm", "ips", "Addresses of machines", outcomes(
        {**address, "assigned_object_type": "virtualization.vminterface"}, list_name="ports"))
    prefix = {"prefix": "['{{ LIST_VAR.ip.rsplit('.', 1)[0] }}.0/24']", "status": "active", "description": "of {{ HOSTNAME }}"}
    for kind in ("device", "vm"):
        of(kind, "prefixes", f"Networks of each {kind}", outcomes(prefix, list_name="ports"))
    of("contact", "contacts", "Contacts", outcomes({
        "name": "Team {{ number }}", "title": "On call", "phone": "{{ phone }}", "email": "{{ mail }}",
        "description": "at {{ place }}"}))
    of("contact", "contacts", "Contacts of a group", outcomes({"group": "Teams"}), beyond=True, sort=1)


def main(address, token, count):
    with app.app_context():
        truth = account("truth", "netbox", {}, address=address)
        truth.set_password(token)
        truth.save()
        hosts(int(count))
        rules()


main(*sys.argv[1:])
