import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpService, startHttpService } from '../adapters/http/http-service.ts';
import { type ReadByVersion, readInventories } from './support/ansible.ts';

/** A host `victim` in group `fleet` is what every attack tries to take away. */
interface Attack {
  readonly name: string;
  /** Hosts with their labels. */
  readonly hosts?: Readonly<Record<string, object>>;
  readonly section?: object;
  readonly rules?: Readonly<Record<string, readonly object[]>>;
  /** What a provider of a plugin answers beside the victim, where no stored host can be like that. */
  readonly provided?: { readonly hostvars?: object; readonly groups?: Readonly<Record<string, readonly string[]>> };
  readonly config?: object;
  /** What somebody who reads the log finds. */
  readonly reported: string;
}

const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) });
const MEMBERS = ['__ansible_unsafe', '__ansible_vault', '__ansible_type'];
const everyHost = (outcome: object) => ({ name: 'r', enabled: true, condition_typ: 'anyway', outcomes: [outcome] });

const ATTACKS: readonly Attack[] = [
  ...MEMBERS.flatMap((member): Attack[] => [
    { name: `a label ${member}`, hosts: { evil: { [member]: 'x' } }, reported: member },
    { name: `a label ${member} without a value`, hosts: { evil: { [member]: null } }, reported: member },
    {
      name: `a nested member ${member}`,
      hosts: { evil: {} },
      section: { a: [{ b: { [member]: 5 } }] },
      reported: member,
    },
    { name: `a host ${member}`, hosts: { [member]: { x: 1 } }, reported: member },
    { name: `a group ${member}`, hosts: { evil: { ansible_groups: member } }, reported: member },
    {
      name: `a rule that sets ${member}`,
      hosts: { evil: {} },
      rules: { automation_customvars: [everyHost({ attribute_name: 'x', attribute_value: { [member]: 1 } })] },
      reported: member,
    },
    {
      name: `an expression with ${member}`,
      hosts: { evil: {} },
      rules: {
        automation_customvars: [everyHost({ attribute_name: member, attribute_value: 'x', expression: true })],
      },
      reported: member,
    },
    { name: `a provider with ${member}`, provided: { hostvars: { evil: { [member]: 'x' } } }, reported: member },
  ]),
  {
    name: 'a label that becomes such a member as identifier',
    hosts: { evil: { '-_ansible_type': 'x' } },
    config: { INVENTORY_VARIABLE_NAMES: 'identifier' },
    reported: '-_ansible_type',
  },
  ...['all', 'ungrouped', 'localhost', '127.0.0.1', '::1', '-oProxyCommand=touch X'].flatMap((hostname): Attack[] => [
    { name: `a host ${hostname}`, hosts: { [hostname]: { ansible_host: '192.0.2.1' } }, reported: hostname },
    { name: `a provider with a host ${hostname}`, provided: { hostvars: { [hostname]: {} } }, reported: hostname },
  ]),
  ...['', 'a\nb', '\u001b[2J', 'x\ud800'].map(
    (hostname): Attack => ({
      name: `a provider with a host ${JSON.stringify(hostname)}`,
      provided: { hostvars: { [hostname]: {} } },
      reported: hostname,
    }),
  ),
  ...['ungrouped', '_meta', 'all', 'localhost'].map(
    (group): Attack => ({ name: `a group ${group}`, hosts: { evil: { ansible_groups: [group] } }, reported: group }),
  ),
  ...['', 'a\nb', 'ungrouped'].map(
    (group): Attack => ({
      name: `a provider with a group ${JSON.stringify(group)}`,
      provided: { groups: { [group]: ['victim'] } },
      reported: group,
    }),
  ),
  { name: 'a group named like a host', hosts: { evil: { ansible_groups: 'victim' } }, reported: 'victim' },
  { name: 'a host named like a group', hosts: { team: {}, evil: { ansible_groups: 'team' } }, reported: 'team' },
  {
    name: 'a provider with half of a surrogate pair',
    provided: { hostvars: { evil: { text: 'x\ud800', 'y\udc00': [{ 'z\ud800': 1 }] } } },
    reported: '',
  },
  { name: 'a provider with values too deep', provided: { hostvars: { evil: { x: deep(400) } } }, reported: 'x' },
];

const PLUGIN = `
import { readFileSync } from 'node:fs';
const read = () => JSON.parse(readFileSync(new URL('./document.json', import.meta.url), 'utf8'));
export default {
  id: 'foreign', apiVersion: 1,
  register(host) {
    host.inventoryProvider('foreign', () => ({
      full: read,
      host: (hostname) => read()._meta.hostvars[hostname] ?? false,
    }));
  },
};
`;

describe('no host, label or group takes others away from a consumer', () => {
  let folder: string;
  const served: { document: string; one: string; log: string }[] = [];
  let versions: readonly ReadByVersion[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-names-'));
    await writeFile(join(folder, 'foreign.mjs'), PLUGIN);
    for (const attack of ATTACKS) served.push(await serve(attack));
    versions = await readInventories(served.map(({ document }) => document));
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function serve({ hosts = {}, section, rules = {}, provided, config }: Attack) {
    const victim = { mark: 'm' };
    await writeFile(
      join(folder, 'document.json'),
      JSON.stringify({
        _meta: { hostvars: { ...provided?.hostvars, victim } },
        all: { hosts: ['victim', ...Object.keys(provided?.hostvars ?? {})] },
        fleet: { hosts: ['victim'] },
        ...Object.fromEntries(
          Object.entries(provided?.groups ?? {}).map(([group, members]) => [group, { hosts: members }]),
        ),
      }),
    );
    const service = await startHttpService({ config: { PLUGINS: [join(folder, 'foreign.mjs')], ...config } });
    try {
      await save(service, 'victim', { ...victim, ansible_groups: 'fleet' });
      for (const [hostname, labels] of Object.entries(hosts)) await save(service, hostname, labels);
      if (section !== undefined) {
        const payload = { key: 'facts', inventory: section };
        await service.request({ method: 'POST', url: '/api/v1/objects/evil/inventory', payload });
      }
      const imported = await service.request({ method: 'POST', url: '/api/v1/rules/import', payload: { rules } });
      expect(JSON.parse(imported.body).details).toEqual([]);
      const url = `/api/v1/inventory/automation/${provided === undefined ? 'automation' : 'foreign'}`;
      const list = await service.request({ url });
      const one = await service.request({ url: `${url}?host=victim` });
      expect([list.statusCode, one.statusCode]).toEqual([200, 200]);
      return { document: list.body, one: one.body, log: JSON.stringify(service.log) };
    } finally {
      await service.stop();
    }
  }

  async function save(service: HttpService, hostname: string, labels: object): Promise<void> {
    const payload = { account: 'crm', objects: [{ hostname, labels }] };
    const { body } = await service.request({ method: 'POST', url: '/api/v1/objects/bulk', payload });
    expect(JSON.parse(body)).toMatchObject({ status: 'saved 1' });
  }

  it.each(ATTACKS.map(({ name }, index) => [name, index] as const))('%s', (_name, index) => {
    for (const { version, answers } of versions) {
      const answer = answers[index];
      for (const [way, read] of Object.entries(answer ?? {})) {
        const seen = { version, way, ...read };
        expect(seen).toMatchObject({
          hosts: { victim: { reached: ['victim'], mark: 'm' } },
          groups: { fleet: ['victim'] },
          messages: [],
        });
        expect(seen).not.toHaveProperty('refused');
        // No host of ours takes the place of the controller.
        expect([version, way, read.localhost]).toEqual([version, way, 'local']);
      }
    }
    expect(JSON.parse(served[index]?.one ?? '')).toMatchObject({ mark: 'm' });
  });

  it('and what is left out is named in the log', () => {
    const silent = ATTACKS.filter(({ reported }, index) => {
      const name = JSON.stringify(reported).slice(1, -1);
      return !served[index]?.log.includes(name) || !served[index]?.log.includes('left out of the inventory');
    });
    // Text that is repaired is not left out, and every host is in `all` anyway.
    expect(silent.map(({ name }) => name)).toEqual([
      'a group _meta',
      'a group all',
      'a provider with half of a surrogate pair',
    ]);
  });

  it('is said of every ansible-core that is there', () => {
    expect(versions.length).toBeGreaterThan(process.env.THOROUGH ? 2 : 0);
  });
});

describe('names that take nothing away', () => {
  it('reach the consumer as they are', async () => {
    const hosts = {
      'web[01:20]': {},
      'a,b': {},
      'db:5432': {},
      '*': {},
      'with space': {},
      straße: {},
      hostvars: { hostvars: 'x', groups: 'x', inventory_hostname: 'x', omit: 'x', vars: 'x', environment: 'x' },
      'a!b': { ansible_groups: 'vars,hosts,children,my group' },
    };
    const service = await startHttpService();
    try {
      for (const [hostname, labels] of Object.entries({ ...hosts, victim: { mark: 'm', ansible_groups: 'fleet' } })) {
        const url = `/api/v1/objects/${encodeURIComponent(hostname)}`;
        await service.request({ method: 'POST', url, payload: { account: 'crm', labels } });
      }
      const { body } = await service.request({ url: '/api/v1/inventory/automation/automation' });
      expect(JSON.parse(body).all.hosts).toEqual([...Object.keys(hosts), 'victim'].sort());
      for (const { answers } of await readInventories([body])) {
        for (const read of Object.values(answers[0] ?? {})) {
          expect(Object.keys(read.hosts).sort()).toEqual([...Object.keys(hosts), 'victim'].sort());
          expect(read).toMatchObject({ hosts: { victim: { mark: 'm' } }, groups: { fleet: ['victim'] } });
        }
      }
    } finally {
      await service.stop();
    }
  });
});
