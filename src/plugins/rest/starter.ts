/** A preset to start from. */
export function starter(name: string): string {
  return `# A preset for accounts of type rest. Keep it as presets/${name}.yaml, and name it in an account:
#   muster account add NAME --type rest --set preset=${name} --set url=https://cmdb.example.org/api --set username=USER --password-stdin
# "muster account test NAME" shows what the first records become.
title: ${name}
description: Hosts of a system of your own

# What an account may say by parameters=site=muc; {{ site }} stands for it in path, query and body. Without a default it must say it.
parameters:
  site: { description: "the site whose hosts are read", default: "" }

# Any option of the type rest but url, join and parameters. Options of the account count before these.
options:
  path: hosts
  query: "site={{ site }}"
  # Where the records are in the answer.
  data_key: results
  # The first of these members that a record has is its hostname.
  hostname_field: fqdn,name
  # auto follows the addresses of next pages; else none, link, next, cursor, page or offset.
  paging: auto
  # What a record is known by elsewhere, and what it belongs to.
  #  key_fields: "serial, mac:interfaces[].mac"
  #  relation_fields: "runs_on:hypervisor.name"

# Lists that belong to the records, by a member; or one request a record, with a member in braces: devices/{id}.
join: []
#  - { path: sites, data_key: results, on: site_id, key: id, as: site }

# Further lists, whose records are objects; an account names those that it wants: objects=sites.
objects: {}
#  sites: { record_type: site, path: sites, key_fields: id }

map:
  # keep: members that are not named here become labels too; drop: they do not.
  others: keep
  # Labels, and the members that they are taken from; paths step through objects and lists.
  labels: {}
  #  os: system.os
  #  tags: "tags[].name"
  # Members that no label is made of.
  without: []
  # What values of a label are called.
  values: {}
  #  status: { "1": active, "2": retired }
  # Sections of the inventory, and their members.
  sections: {}
  #  disks: hardware.disks
  # Edges to other hosts.
  relations: []
  #  - { type: runs_on, target: hypervisor.name }
`;
}
