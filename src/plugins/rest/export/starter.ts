/** A preset to start from. */
export function targetStarter(name: string): string {
  return `# A preset for accounts of type rest_target. Keep it as presets/targets/${name}.yaml, and name it in an account:
#   muster account add NAME --type rest_target --set preset=${name} --set url=https://cmdb.example.org/api --set username=USER --password-stdin
# "muster export NAME --dry-run" shows what would be written.
title: ${name}
description: Devices of a system of your own

# What an account may say by parameters=mark=muster; {{ mark }} stands for it in paths, queries and bodies. Without a default it must say it.
parameters:
  mark: { description: "owner of objects that this account made", default: muster }

# Options of the type rest_target but url, objects and parameters. Options of the account count before these.
options: {}

# Kinds of objects, those first that others refer to.
objects:
  - kind: site
    title: Sites
    # How they are read, as in a preset of the type rest.
    read: { path: sites, data_key: results }
    # Members of a record: by which it is known to people, and what the system calls it for good.
    key: name
    id: id
    # Who made it: objects of ours may be changed and deleted; objects without a mark have no owner.
    owner: { member: owner, ours: "{{ mark }}" }
    fields:
      description: {}
    # What a host wants of the kind. Texts are templates of its variables; HOSTNAME, GROUPS and OBJECT_TYPE are there too.
    wanted:
      key: "{{ site }}"
      fields: { description: "Site {{ site }}" }
    # Requests that write. They read key, id, fields (those that are to be written) and parameters.
    create: { path: sites, body: { name: "{{ key }}", owner: "{{ mark }}", "...": "{{ fields }}" } }
    update: { path: "sites/{{ id }}", body: { name: "{{ key }}", owner: "{{ mark }}", "...": "{{ fields }}" } }
    delete: { path: "sites/{{ id }}" }

  - kind: device
    title: Devices
    read: { path: devices, data_key: results }
    key: name
    # The version of an object, which is sent with If-Match.
    etag: version
    owner: { member: owner, ours: "{{ mark }}" }
    fields:
      # The system has the id of a site, a host its name.
      site: { member: site_id, reference: site }
      os: {}
      # Their order means nothing.
      tags: { compare: set }
    wanted:
      key: "{{ HOSTNAME }}"
      fields: { site: "{{ site }}", os: "{{ os }}", tags: "{{ tags }}" }
    create: { path: devices, body: { name: "{{ key }}", owner: "{{ mark }}", site_id: "{{ fields.site }}", os: "{{ fields.os }}", tags: "{{ fields.tags }}" } }
    update: { path: "devices/{{ id }}", body: { name: "{{ key }}", owner: "{{ mark }}", site_id: "{{ fields.site }}", os: "{{ fields.os }}", tags: "{{ fields.tags }}" } }
    delete: { path: "devices/{{ id }}" }
`;
}
