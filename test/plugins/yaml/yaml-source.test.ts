import { describe, expect, it } from 'vitest';
import { textOf } from '../../../src/kit/worded.ts';
import { yamlOptions } from '../../../src/plugins/yaml/options.ts';
import { readYaml } from '../../../src/plugins/yaml/read.ts';
import type { Source } from '../../../src/ports/index.ts';
import { describeSourceContract } from '../../../src/testing/source.contract.ts';
import { collect, failure, readContext, temporaryFile } from '../../kit/shared/temporary-file.ts';
import { sourceFiles } from '../../support/files.ts';

const GROUPS = { hosts_key: 'hosts', variables_key: 'vars' };

async function sourceOf(content: string, options: Record<string, unknown> = {}) {
  return readYaml(yamlOptions().parse({ path: await temporaryFile(content), ...options }), sourceFiles, readContext());
}

async function read(content: string, options: Record<string, unknown> = {}) {
  return collect(await sourceOf(content, options));
}

async function faultOf(content: string, options: Record<string, unknown> = {}) {
  return failure(await sourceOf(content, options));
}

/** Name and labels of each record; the reason of what is skipped. */
async function recordsOf(content: string, options: Record<string, unknown> = {}) {
  const items = await read(content, options);
  return items.map((item) =>
    item.kind === 'record' ? [item.hostname, item.labels] : 'reason' in item && textOf(item.reason),
  );
}

describe('yaml source', () => {
  it('reads a list of records, the only list of an object, and documents of one record each', async () => {
    const expected = [
      ['web1', { site: 'berlin', 'net.ip': '10.0.0.1' }],
      ['web2', { site: 'paris' }],
    ];
    const list = '- host: web1\n  site: berlin\n  net: {ip: 10.0.0.1}\n- host: web2\n  site: paris\n';
    expect(await recordsOf(list)).toEqual(expected);
    expect(await recordsOf(`count: 2\nresults:\n${list}`)).toEqual(expected);
    expect(
      await recordsOf(`data:\n  results:\n${list.replaceAll(/^/gm, '    ')}`, { data_key: 'data.results' }),
    ).toEqual(expected);
    expect(await recordsOf(list.replaceAll(/^- /gm, '---\n').replaceAll(/^ {2}/gm, ''))).toEqual(expected);
    const [first] = await read(list, { inventory_fields: 'net' });
    expect(first).toEqual({
      kind: 'record',
      position: 'record 1',
      hostname: 'web1',
      labels: { site: 'berlin' },
      inventory: { net: { ip: '10.0.0.1' } },
    });
  });

  it('reads an object of records by name', async () => {
    expect(await recordsOf('web1: {host: a label, site: berlin}\nweb2:\nweb3: 7\n" ": {}\n')).toEqual([
      ['web1', { host: 'a label', site: 'berlin' }],
      ['web2', {}],
      'is not an object',
      'has no name',
    ]);
  });

  it('reads groups of hosts with the variables of the group, as existing installations have them', async () => {
    const content = `
webservers:
  hosts: [web1, web2, '']
  vars: {role: web, tier: 1}
berlin:
  hosts: [web1]
  vars: {site: berlin, tier: 2}
empty:
  vars: {unused: true}
broken: 7
nothing:
wrong: {hosts: [web9, db2], vars: [1]}
odd: {hosts: [{web7: }, web6], vars: {a: 1}}
loose: {hosts: {web5: 7}}
version: 2
own: {hosts: {db1: {role: db}, db2: }}
`;
    const ignored_members = 'version';
    const aliases = { name_of_hosts_key: 'hosts', name_of_variables_key: 'vars' };
    for (const options of [
      { ...GROUPS, ignored_members },
      { ignored_members, hosts_key: aliases.name_of_hosts_key, variables_key: aliases.name_of_variables_key },
    ]) {
      expect(await recordsOf(content, options)).toEqual([
        'names a host without a name',
        'it is not an object; if it is not a group of hosts, name broken in ignored_members',
        'is not an object',
        'names a host by something that is not a text',
        'is not an object',
        ['web1', { role: 'web', tier: 2, site: 'berlin' }],
        ['web2', { role: 'web', tier: 1 }],
        'its "vars" is not an object',
        'its "vars" is not an object',
        ['web6', { a: 1 }],
        'is not an object',
        ['db1', { role: 'db' }],
      ]);
    }
    const items = await read(content, { ...GROUPS, ignored_members });
    expect(items.flatMap((item) => (item.kind === 'gap' ? [textOf(item.what)] : []))).toEqual([
      'group "broken"',
      'group "odd"',
    ]);
    const spared = items.flatMap((item) => (item.kind === 'skipped' && item.hostname) || []);
    expect(spared).toEqual(['web9', 'db2', 'web5']);
  });

  it('takes ranges of hosts in groups for what is not read', async () => {
    const groups = 'web:\n  hosts: ["web[01:20]", web21]\ndb:\n  hosts: ["db[a:c]"]\n';
    expect(await recordsOf(groups, GROUPS)).toEqual([expect.stringContaining('type ansible'), ['web21', {}]]);
  });

  it('reads values as PyYAML does, but for times and what would lose signs', async () => {
    const content = `
- host: a
  yes_is: yes
  off_is: off
  null_is: ~
  octal: 0o17
  hex: 0x1f
  big: 12345678901234567890
  float: 1.50
  date: 2024-01-31
  time: 12:30
  text: "yes"
  version: 1.10.2
  folded: >
    two
    lines
  nan: .nan
  80: port
  __proto__: kept
`;
    const [[, labels] = []] = (await recordsOf(content)) as [[string, object]];
    expect(JSON.stringify(labels)).toBe(
      JSON.stringify({
        80: 'port',
        yes_is: true,
        off_is: false,
        null_is: null,
        octal: '0o17',
        hex: '0x1f',
        big: '12345678901234567890',
        float: '1.50',
        date: '2024-01-31',
        time: '12:30',
        text: 'yes',
        version: '1.10.2',
        folded: 'two lines\n',
        nan: 'NaN',
      }).replace(/\}$/, ',"__proto__":"kept"}'),
    );
  });

  it('merges and repeats by anchors, however often', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => `- {<<: *base, host: h${n}, more: *list}`).join('\n');
    const items = await recordsOf(`- &base {host: first, site: berlin, tags: &list [a, b]}\n${many}\n`);
    expect(items).toHaveLength(1_001);
    expect(items[1000]).toEqual(['h999', { site: 'berlin', tags: ['a', 'b'], more: ['a', 'b'] }]);
  });

  it('refuses what aliases make endless or too large', async () => {
    const levels = Array.from(
      { length: 12 },
      (_, n) => `l${n + 1}: &l${n + 1} [${Array(10).fill(`*l${n}`).join(',')}]`,
    );
    const bomb = `l0: &l0 {a: 1}\n${levels.join('\n')}\n`;
    expect(await faultOf(bomb, { data_key: 'l0' })).toMatch(/stands for more than 5 million values/);
    expect(await faultOf('a: &a {b: *a}\n')).toMatch(/nested more than 100 levels deep/);
    expect(await faultOf(`${'['.repeat(5_000)}`)).toMatch(/is not valid YAML|nested/);
  });

  it.each([
    ['- host: a\n  host: b\n', /is not valid YAML in line 2: a key occurs twice in one object/],
    ['- host: "web1\n', /is not valid YAML in line \d/],
    ['a:\n\t- b\n', /is not valid YAML in line 2: a tab in the indentation/],
    ['- host: *nothing\n', /is not valid YAML in line 1: an alias without its anchor/],
    ['- <<: 7\n  host: a\n', /merges something that is not an object/],
    ['7\n', /is neither a list nor an object/],
    ['# only a comment\n', /holds nothing/],
    ['a: [1]\nb: [2]\n', /has several lists; set data_key to one of them; its members: "a", "b"/],
    ['', /is empty/],
  ])('fails for %j with a reason', async (content, message) => {
    const fault = await faultOf(content);
    expect(fault).toMatch(message);
    expect(fault).not.toContain('web1');
  });

  it('names what is at data_key when that is no list', async () => {
    expect(await faultOf('hosts: 7\n', { data_key: 'hosts' })).toMatch(/has no list and no object at data_key "hosts"/);
    expect(await faultOf('hosts: {}\n', { data_key: 'nodes' })).toMatch(
      /has nothing at data_key "nodes"; its members: "hosts"/,
    );
  });
});

describeSourceContract('yaml', {
  healthy: async () => {
    const path = await temporaryFile(
      '- host: web1\n- {host: web2, serial: 4711, nics: [{mac: a}, {mac: b}]}\n- {host: , serial: 4712}\n',
    );
    const options = yamlOptions().parse({ path, key_fields: 'serial, nics[].mac' });
    const source: Source = { read: (context) => readYaml(options, sourceFiles, context) };
    const keys = { hostname: 'web2', values: { serial: ['4711'], mac: ['a', 'b'] } };
    return { hostname: 'web1', source, keys, nameless: { serial: ['4712'] } };
  },
  broken: async () => {
    const options = yamlOptions().parse({ path: await temporaryFile('- host: web1\n- host: "web2\n') });
    return { read: (context) => readYaml(options, sourceFiles, context) };
  },
});
