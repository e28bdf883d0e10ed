/** Objects of a plain REST interface, for people to begin with: a list that is read, and a request for each change. */
export const EXAMPLE = `- kind: server
  title: Servers
  # How those that are there are read: GET <address>/servers, whose answer has the list at "results".
  read: { path: servers, data_key: results }
  key: name
  id: id
  # Only objects that say that they are ours are changed and deleted.
  owner: { member: managed_by, ours: muster }
  fields:
    ip: { member: ip }
    site: { member: site }
  # What a host wants to be there.
  wanted:
    key: "{{ HOSTNAME }}"
    fields: { ip: "{{ ip }}", site: "{{ site }}" }
  create:
    path: servers
    body: { name: "{{ key }}", managed_by: muster, "...": "{{ fields }}" }
  update:
    - { method: PATCH, path: "servers/{{ id }}", body: { "...": "{{ fields }}" } }
  delete: { path: "servers/{{ id }}" }
`;
