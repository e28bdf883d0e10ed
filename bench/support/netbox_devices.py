"""20,000 devices with two ports and an address on each, into an empty NetBox. Run in its shell (netbox nbshell)."""

from dcim.models import Device, DeviceRole, DeviceType, Interface, Manufacturer, Site
from django.contrib.contenttypes.models import ContentType
from ipam.models import IPAddress

DEVICES = 20_000

maker = Manufacturer.objects.create(name="Dell", slug="dell")
kind = DeviceType.objects.create(manufacturer=maker, model="R640", slug="r640")
role = DeviceRole.objects.create(name="Server", slug="server")
site = Site.objects.create(name="Berlin", slug="berlin")

devices = Device.objects.bulk_create(
    [
        Device(name=f"device-{number:05}", device_type=kind, role=role, site=site, serial=f"S{number:05}")
        for number in range(DEVICES)
    ],
    batch_size=1000,
)
ports = Interface.objects.bulk_create(
    [
        Interface(device=device, name=f"eth{port}", type="1000base-t", _site=site)
        for device in devices
        for port in range(2)
    ],
    batch_size=1000,
)
interface = ContentType.objects.get_for_model(Interface)
IPAddress.objects.bulk_create(
    [
        IPAddress(
            address=f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}/8",
            assigned_object_type=interface,
            assigned_object_id=port.pk,
        )
        for number, port in enumerate(ports)
    ],
    batch_size=1000,
)
