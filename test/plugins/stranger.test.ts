import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../src/ports/index.ts';
import { answeringServer } from '../../src/testing/faulty-server.ts';
import { MusterProgram } from '../../src/testing/muster-program.ts';
import { ROOT } from '../architecture/source-files.ts';

// A plugin that a stranger made with the kit, outside of the checkout: the program offers it the kit, as it does the stable interface.

interface Contact {
  readonly id: string;
  readonly machine: string;
  readonly owner: string;
  person: string;
}

const contacts: Contact[] = [];
let machines: JsonObject = {};
let folder: string;
let program: MusterProgram;
let stop: () => Promise<void>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-stranger-'));
  await cp(join(ROOT, 'examples/plugins/asset-desk'), join(folder, 'asset-desk'), { recursive: true });
  const server = await answeringServer(({ method, path, body }) => {
    if (path === '/machines') return { body: JSON.stringify(machines) };
    const contact = contacts.find(({ id }) => path === `/contacts/${id}`);
    if (method === 'POST') {
      const made = { id: String(contacts.length + 1), ...(JSON.parse(body) as Omit<Contact, 'id'>) };
      contacts.push(made);
      return { status: 201, body: JSON.stringify(made) };
    }
    if (method === 'PATCH' && contact !== undefined) Object.assign(contact, JSON.parse(body));
    if (method === 'DELETE' && contact !== undefined) contacts.splice(contacts.indexOf(contact), 1);
    return { body: JSON.stringify(method === 'GET' ? { contacts } : {}) };
  });
  stop = () => server.close();
  program = await MusterProgram.start({ plugins: [join(folder, 'asset-desk')] });
  const url = ['--set', `url=${server.address}`];
  const archive = ['--set', 'delete_host_if_not_found_on_import=true'];
  await program.must(['account', 'add', 'desk', '--type', 'asset-desk', ...url, ...archive]);
  await program.must(['account', 'add', 'out', '--type', 'asset-desk-contacts', ...url]);
}, 60_000);
afterAll(async () => {
  await program.stop();
  await stop();
  await rm(folder, { recursive: true, force: true });
});

it('a source with the options of built-in ones imports, and archives nothing where a part came', async () => {
  const listed = ['db01', 'db02', 'web01'].map((name) => ({
    name,
    site: 'berlin',
    tags: [{ key: 'tier', value: 'a' }],
  }));
  machines = { machines: listed };
  await program.must(['account', 'set', 'desk', '--set', 'pair_fields=tags', '--set', 'record_filter=site=berlin']);
  expect(await program.must(['import', 'desk'])).toContain('3 created');
  expect(JSON.parse(await program.must(['host', 'show', 'db01', '--json']))).toMatchObject({
    labels: { site: 'berlin', 'tags.tier': 'a' },
  });
  machines = { machines: listed.slice(1), total: 3 };
  const part = await program.command(['import', 'desk']);
  expect(part.code).toBe(1);
  expect(part.output + part.errors).toContain('total');
  expect(await program.must(['host', 'list'])).toContain('db01');
});

it('a rule type whose members are a table refuses by path, and acts', async () => {
  const rule = (outcomes: readonly JsonObject[]): string =>
    JSON.stringify({
      rule_type: 'asset_desk_contacts',
      rules: [{ name: 'databases', enabled: true, sort_field: 1, condition_typ: 'anyway', conditions: [], outcomes }],
    });
  await program.write('rules.json', rule([{ on_call: 'perhaps' }]));
  const refused = await program.command(['rules', 'import', 'rules.json']);
  expect(refused.code).not.toBe(0);
  expect(refused.output + refused.errors).toMatch(/outcomes\.0\.contact.*is required/s);
  await program.write('rules.json', rule([{ contact: 'ada' }]));
  await program.must(['rules', 'import', 'rules.json']);
  expect(await program.must(['host', 'explain', 'db01'])).toContain('ada');
});

it('a target with objects plans first, and writes what the plan says', async () => {
  expect(await program.must(['export', 'out', '--dry-run'])).toContain('3');
  expect(contacts).toEqual([]);
  await program.must(['export', 'out']);
  expect(contacts.map(({ machine, person }) => `${machine} ${person}`).sort()).toEqual([
    'db01 ada',
    'db02 ada',
    'web01 ada',
  ]);
});
