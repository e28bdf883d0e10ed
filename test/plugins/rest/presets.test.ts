import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SOURCE_PRESETS } from '../../../src/plugins/rest/preset.ts';
import { namedPreset, presetFiles } from '../../../src/plugins/rest/preset-files.ts';
import type { JsonObject, JsonValue, SourceRecord, SourceRelation } from '../../../src/ports/index.ts';
import { world } from '../../app/import/support.ts';
import {
  by,
  json,
  type MisbehavingServer,
  misbehavingServer,
  type SeenRequest,
} from '../../support/misbehaving-server.ts';
import { itemsOf } from '../../support/read-source.ts';
import { openRest, restType, told } from './rest-account.ts';

interface Fixture {
  readonly account: { readonly username: string; readonly password: string };
  readonly base?: string;
  readonly options: Readonly<Record<string, string>>;
  readonly exchange: readonly Exchange[];
  /** Requests of details are under way at once. */
  readonly anyOrder?: boolean;
  readonly check?: Exchange;
  readonly skipped?: number;
  readonly hosts: Readonly<Record<string, Expected>>;
}

interface Expected {
  readonly labels: JsonObject;
  readonly inventory?: JsonObject;
  readonly type?: string;
  readonly relations?: readonly SourceRelation[];
}

interface Exchange {
  readonly asks: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
  readonly status?: number;
  readonly head?: Readonly<Record<string, string>>;
  readonly answer: JsonValue;
}

/** What the recorded hosts are known by. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  'cisco-dna': ['id', 'mac', 'serial'],
  foreman: ['id', 'mac'],
  glpi: ['id', 'serial', 'uuid'],
  'i-doit': ['id'],
  'jira-assets': ['id'],
  prtg: ['id'],
  jdisc: ['id', 'serial'],
  'jdisc-applications': [],
  'jdisc-executables': [],
  librenms: ['id', 'serial'],
  nautobot: ['id', 'serial'],
  servicenow: ['fqdn', 'id', 'serial'],
  'servicenow-relations': ['fqdn', 'id', 'serial'],
};

const folder = join(import.meta.dirname, '../../../src/plugins/rest');
const shipped = readdirSync(join(folder, 'presets'))
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => name.replace('.yaml', ''));
const fixtureOf = (name: string): Fixture => JSON.parse(readFileSync(join(folder, 'fixtures', `${name}.json`), 'utf8'));

let server: MisbehavingServer;
beforeAll(async () => {
  server = await misbehavingServer();
});
afterEach(() => {
  server.requests.length = 0;
});
afterAll(() => server.close());

/** Serves what the fixture says, in its order. Answers what was not asked, and what was asked otherwise. */
function serve({ exchange, check, anyOrder = false }: Fixture): readonly (Exchange | string)[] {
  const left: (Exchange | string)[] = [...exchange];
  const paths = new Set(
    [...exchange, ...(check === undefined ? [] : [check])].map(({ asks }) => asks.split(/[ ?]/)[1] ?? ''),
  );
  const answer = by((request) => {
    if (check !== undefined && isAsked(check, request)) return json(check.answer);
    const expected = left.filter((one) => typeof one !== 'string');
    const found = (anyOrder ? expected : expected.slice(0, 1)).find((one) => isAsked(one, request));
    if (found === undefined) {
      left.push(`unexpected: ${request.method} ${request.path} ${request.body}`);
      return json({}, {}, 418);
    }
    left.splice(left.indexOf(found), 1);
    return json(found.answer, found.head, found.status);
  });
  for (const path of paths) server.at(path, answer);
  return left;
}

function isAsked({ asks, headers = {}, body }: Exchange, request: SeenRequest): boolean {
  if (inOrder(asks) !== inOrder(`${request.method} ${request.path}`)) return false;
  if (Object.entries(headers).some(([name, value]) => request.headers[name] !== value)) return false;
  return body === undefined || holds(JSON.parse(request.body), body);
}

/** Parameters have no order. */
function inOrder(asks: string): string {
  const [path = '', query = ''] = asks.split('?');
  const parameters = new URLSearchParams(query);
  parameters.sort();
  return `${path}?${parameters}`;
}

function holds(found: JsonValue | undefined, wanted: JsonValue): boolean {
  if (typeof wanted !== 'object' || wanted === null) return found === wanted;
  return Object.entries(wanted).every(([name, value]) => holds((found as JsonObject)?.[name], value));
}

describe.each(shipped)('the preset %s', (preset) => {
  const fixture = fixtureOf(preset);
  const open = () =>
    openRest(`${server.origin}${fixture.base ?? ''}`, { preset, ...fixture.options }, { account: fixture.account });

  it('asks what the documentation says, and makes hosts of its answers', async () => {
    const left = serve(fixture);
    const items = await itemsOf(await open());
    expect(left).toEqual([]);
    expect(told(items).filter((text) => text.startsWith('gap'))).toEqual([]);
    expect(items.filter(({ kind }) => kind === 'skipped')).toHaveLength(fixture.skipped ?? 0);
    const records = new Map(
      items.filter((item): item is SourceRecord => item.kind === 'record').map((record) => [record.hostname, record]),
    );
    const known = items.flatMap((item) => (item.kind === 'record' ? Object.keys(item.keys ?? {}) : []));
    expect([...new Set(known)].sort()).toEqual(KEYS[preset]);
    for (const [hostname, { labels, inventory, type, relations }] of Object.entries(fixture.hosts)) {
      const record = records.get(hostname);
      expect([...records.keys()]).toContain(hostname);
      const found = Object.fromEntries(Object.keys(labels).map((name) => [name, record?.labels[name] ?? null]));
      expect(found).toEqual(labels);
      if (inventory !== undefined) expect(record?.inventory).toMatchObject(inventory);
      if (type !== undefined) expect(record?.type).toBe(type);
      if (relations !== undefined) expect(record?.relations).toEqual(relations);
    }
  });

  it('is imported into a store, and a second run changes nothing', async () => {
    const { run } = await world();
    const counts = [];
    for (let turn = 0; turn < 2; turn++) {
      serve(fixture);
      const { status, summary } = await run(await open());
      counts.push([status, summary.created > 0, summary.updated, summary.conflicts]);
    }
    expect(counts).toEqual([
      ['done', true, 0, 0],
      ['done', false, 0, 0],
    ]);
  });

  it('says what answers', async () => {
    serve(fixture);
    const { title } = await namedPreset(SOURCE_PRESETS, preset, '');
    expect(await (await open()).check?.({ signal: new AbortController().signal })).toMatch(
      new RegExp(`^${title} at http`),
    );
  });

  it('says in its file where it is from, and whether somebody tried it with a real system', async () => {
    const { documentation, tried } = await namedPreset(SOURCE_PRESETS, preset, '');
    expect(documentation).toMatch(/^https:/);
    expect(tried).toMatch(preset === 'nautobot' ? /itself$/ : /not tried/);
    expect(readFileSync(join(folder, 'presets', `${preset}.yaml`), 'utf8')).toContain(`--set preset=${preset}`);
  });
});

describe('a preset of one’s own', () => {
  let own: string;
  beforeAll(async () => {
    own = await mkdtemp(join(tmpdir(), 'muster-presets-'));
  });
  afterAll(() => rm(own, { recursive: true }));

  const preset = (text: string) => writeFile(join(own, 'mine.yaml'), `title: Mine\ndescription: x\n${text}`);
  const read = async (fields: Record<string, string> = {}) => {
    const source = await openRest(server.origin, { preset: 'mine', ...fields }, { folder: own });
    return itemsOf(source);
  };

  it('gives options and a mapping, and options of the account count before it', async () => {
    await preset(`
parameters: { site: { description: a site, default: muc } }
options: { path: "sites/{{ site }}", hostname_field: name, data_key: list }
join: [{ path: owners, on: owner, as: owner_of }]
map:
  others: drop
  labels: { os: system.os, owner: owner_of.mail, tags: "tags[].name" }
  values: { os: { "1": debian } }
  sections: { disks: disks }
  relations: [{ type: runs_on, target: parent }]
`);
    const list = [
      {
        name: 'a',
        system: { os: 1 },
        owner: 7,
        tags: [{ name: 'x' }],
        disks: { sda: { gb: 5 } },
        parent: 'esx1',
        more: 1,
      },
    ];
    server.at('/sites/muc', json({ list }));
    server.at('/sites/ber', json({ list: [{ other: 'b', name: 'c' }] }));
    server.at('/owners', json([{ id: 7, mail: 'o@example.org' }]));
    expect(await read()).toEqual([
      {
        kind: 'record',
        position: 'record 1',
        hostname: 'a',
        labels: { os: 'debian', owner: 'o@example.org', tags: ['x'] },
        inventory: { disks: { sda: { gb: 5 } } },
        relations: [{ type: 'runs_on', target: 'esx1' }],
      },
    ]);
    expect(told(await read({ parameters: 'site=ber', hostname_field: 'other' }))).toEqual(['b']);
  });

  it('takes one element of a list, and makes no labels of the list besides', async () => {
    await preset(
      'options: { path: ones, hostname_field: name }\nmap: { labels: { address: "ip[primary=1].text", first: "ip[0].text" } }',
    );
    server.at('/ones', json([{ name: 'a', ip: [{ text: 'x' }, { text: 'y', primary: 1 }], site: 'b' }]));
    expect(await read()).toMatchObject([{ hostname: 'a', labels: { site: 'b', address: 'y', first: 'x' } }]);
    const [record] = await read();
    expect(record).not.toHaveProperty('labels.ip');
  });

  it('is refused with what is wrong in it', async () => {
    for (const [text, message] of [
      ['options: { path: x', 'the preset mine cannot be read'],
      ['optoins: {}', 'the preset mine is not valid: Unrecognized key: "optoins"'],
      ['options: { path: x, no_such: 1 }', 'the options of the preset mine are not valid'],
      ['options: { url: "https://elsewhere.example.org" }', 'must not have the option url'],
      ['parameters: { site: { description: a site } }', 'the preset mine needs site (a site)'],
    ] as const) {
      await preset(text);
      await expect(read(), text).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining(message),
      });
    }
    await preset('options: { path: x }');
    await expect(read({ parameters: 'nothing=1' })).rejects.toThrow('which the preset mine does not know');
    await expect(read({ preset: 'no-such' })).rejects.toThrow(
      'there is no preset no-such; there are cisco-dna, foreman',
    );
    await expect(read({ preset: '../mine' })).rejects.toThrow('preset must be the name of a preset');
  });

  it('is listed with the others, and begins as a file that says what it may have', async () => {
    await preset('options: { path: x }');
    const { presets } = await restType('rest', own);
    const listed = (await presets?.list()) ?? [];
    expect(listed.map(({ name }) => name)).toEqual([...shipped, 'mine'].sort());
    expect(listed.find(({ name }) => name === 'jira-assets')?.parameters).toHaveProperty('workspace_id');
    await writeFile(join(own, 'mine.yaml'), (await presets?.starter('mine')) ?? '');
    server.at('/hosts', json({ results: [{ name: 'a' }] }));
    expect(told(await read())).toEqual(['a']);
  });

  it('takes the place of one of the program', async () => {
    await writeFile(join(own, 'foreman.yml'), 'title: Other\ndescription: x');
    expect(
      (await presetFiles(SOURCE_PRESETS, own)).filter(({ shipped: ours }) => !ours).map(({ name }) => name),
    ).toEqual(['foreman', 'mine']);
    expect((await namedPreset(SOURCE_PRESETS, 'foreman', own)).title).toBe('Other');
  });
});
