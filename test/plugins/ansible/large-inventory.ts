import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const SITES = ['ams', 'ber', 'lon', 'par', 'waw'];
const ROLES = ['web', 'db', 'cache', 'queue', 'proxy', 'build', 'log', 'mail'];
const STAGES = ['production', 'staging', 'testing'];
const COUNT = 480;

/**
 * Writes an inventory of hundreds of hosts and groups in the shapes that people write: INI and YAML files, ranges, a tree of groups with several
 * parents, group_vars and host_vars with nested values and templates, empty groups, texts that are marked as unsafe or encrypted, a script,
 * and a file for a plugin that is not enabled.
 */
export async function writeLargeInventory(folder: string): Promise<void> {
  for (const name of ['group_vars', 'host_vars']) await mkdir(join(folder, name), { recursive: true });
  const hosts = Array.from({ length: COUNT }, (_, at) => ({
    name: `n${at}.${pick(SITES, at)}.example.org`,
    site: pick(SITES, at),
    role: pick(ROLES, Math.floor(at / 5)),
    stage: pick(STAGES, Math.floor(at / 40)),
    rack: at % 23,
  }));
  const sections = new Map<string, string[]>();
  const add = (section: string, line: string): void => {
    const lines = sections.get(section);
    if (lines === undefined) sections.set(section, [line]);
    else if (!lines.includes(line)) lines.push(line);
  };
  for (const { name, site, role, stage, rack } of hosts) {
    add(
      `${site}_${role}`,
      `${name} rack=${rack} ansible_host=10.${rack}.0.1 labels='["${role}", {"site": "${site}"}]'`,
    );
    add(`${stage}_${role}`, name);
    add(`rack_${site}_${rack}`, name);
    add(`${site}:children`, `${site}_${role}`);
    add(`${site}:children`, `rack_${site}_${rack}`);
    add(`${role}:children`, `${site}_${role}`);
    add(`${role}:children`, `${stage}_${role}`);
    add(`${stage}:children`, `${stage}_${role}`);
  }
  for (const site of SITES) add('everywhere:children', site);
  for (let spare = 0; spare < 20; spare++) add(`spare_${spare}`, '');
  for (const role of ROLES) add(`${role}:vars`, `port=${role.length * 1000}\nansible_group_priority=${role.length}`);
  const ini = [...sections].map(([name, lines]) => `[${name}]\n${lines.join('\n')}\n`);
  await writeFile(join(folder, '01-hosts.ini'), `alone ansible_port=2222\n${ini.join('\n')}`);
  await writeFile(
    join(folder, '02-more.yml'),
    `all:
  vars: {dns: [10.0.0.1, 10.0.0.2], motd: "Welcome to {{ inventory_hostname }}"}
  children:
    routers:
      hosts:
        rt[01:30].example.org: {bgp: {asn: 65000, peers: [{address: 192.0.2.1, policy: "{{ bgp_policy }}"}]}}
      vars: {bgp_policy: default, enabled: yes, ratio: 0.25, nothing: null, quoted: "yes", day: 2024-01-31}
    network: {children: {routers: {}, switches: {}}}
    switches: {}
`,
  );
  const script = join(folder, '03-cloud.sh');
  const cloud = {
    cloud: { hosts: ['vm1', 'vm2'], vars: { zone: 'a' } },
    _meta: { hostvars: { vm1: { image: 'x{# y #}' } } },
  };
  await writeFile(script, `#!/bin/sh\necho '${JSON.stringify(cloud)}'\n`);
  await chmod(script, 0o755);
  await writeFile(join(folder, 'zzz-inventory.config'), 'plugin: constructed\ngroups: {even: rack % 2 == 0}\n');
  for (const [at, site] of SITES.entries()) {
    await writeFile(
      join(folder, 'group_vars', `${site}.yml`),
      `site: {name: ${site}, number: ${at}, ntp: ["ntp{{ site.number }}.example.org"]}
raw: !unsafe "plain text of ${site}"
password: !vault |
  $ANSIBLE_VAULT;1.1;AES256
  6162
`,
    );
  }
  await writeFile(
    join(folder, 'group_vars', 'all.yml'),
    'domain: example.org\nusers: [{name: root, keys: []}, {name: deploy, keys: [k1, k2]}]\n',
  );
  for (const { name, rack } of hosts.filter((_, at) => at % 7 === 0)) {
    await writeFile(
      join(folder, 'host_vars', `${name}.yml`),
      `own: {rack: ${rack}, text: "true", list: [[1, 2], {a: "{% if x %}"}]}\n`,
    );
  }
}

function pick(list: readonly string[], at: number): string {
  return list[at % list.length] ?? '';
}
