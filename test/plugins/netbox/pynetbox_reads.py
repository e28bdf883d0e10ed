"""Prints what the usual client of NetBox sees there: machines, what they refer to, and what is on them."""

import json
import sys

import pynetbox

address, token = sys.argv[1:]
netbox = pynetbox.api(address, token=token)


def name_of(record):
    return None if record is None else str(record)


machines = {}
for kind, found in {"device": netbox.dcim.devices, "vm": netbox.virtualization.virtual_machines}.items():
    for one in found.all():
        machines[one.name] = {
            "kind": kind,
            "status": one.status.value,
            "site": name_of(one.site),
            "role": name_of(one.role),
            "tenant": name_of(one.tenant),
            "serial": one.serial,
            "primary": name_of(one.primary_ip4),
            "type": one.device_type.model if kind == "device" else None,
            "manufacturer": name_of(one.device_type.manufacturer) if kind == "device" else None,
            "cluster": name_of(one.cluster),
            "custom_fields": one.custom_fields,
            "interfaces": {},
        }
for kind, found in {"device": netbox.dcim.interfaces, "virtual_machine": netbox.virtualization.interfaces}.items():
    for port in found.all():
        mac = port.mac_address
        machines[getattr(port, kind).name]["interfaces"][port.name] = {"mac": mac, "addresses": []}
for ip in netbox.ipam.ip_addresses.all():
    port = ip.assigned_object
    if port is None:
        continue
    owner = port.device if ip.assigned_object_type == "dcim.interface" else port.virtual_machine
    machines[owner.name]["interfaces"][port.name]["addresses"].append(ip.address)
prefixes = [prefix.prefix for prefix in netbox.ipam.prefixes.all()]
json.dump({"version": netbox.version, "machines": machines, "prefixes": prefixes}, sys.stdout)
