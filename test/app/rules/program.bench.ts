/**
 * 100,000 hosts of 20 labels through 50 rules: the engine, or the same rules written by hand as closures. One of them a
 * process: `node <bundle> engine|hand [hosts] [times the rules]`. Prints milliseconds of processor time and a checksum that must be equal.
 */
import { createHash } from 'node:crypto';
import { compileProgram } from '../../../src/app/domain/rules/program.ts';
import { type JsonObject, type JsonValue, StoredJson } from '../../../src/ports/json.ts';
import { EVALUATED } from './support.ts';

const SITES = ['codfw', 'eqiad', 'esams', 'ulsfo', 'drmrs'];
const SYSTEMS = ['Linux', 'Windows Server 2022', 'VMware ESXi', 'IOS-XE'];

function labelsText(index: number): string {
  const labels: Record<string, JsonValue> = {
    site: SITES[index % 5]!,
    os: SYSTEMS[index % 4]!,
    role: `role${index % 17}`,
    cluster: `cluster-${index % 40}`,
    owner: `team${index % 9}@example.org`,
    env: index % 3 === 0 ? 'production' : 'staging',
    ip: `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
    serial: `SN${index * 7919}`,
    rack: `R${index % 200}`,
    managed: index % 2 === 0 ? 'true' : 'false',
    tags: ['a', `t${index % 13}`, 'web'],
    cores: index % 64,
  };
  for (let extra = 0; extra < 8; extra++) labels[`extra_${extra}`] = `value ${extra} of ${index % 50}`;
  return JSON.stringify(labels);
}

function tag(name: string, value_match: string, value: string, more: JsonObject = {}): JsonObject {
  return { match_type: 'tag', tag: name, tag_match: 'equal', value, value_match, ...more };
}

const rules: Record<string, JsonObject[]> = {
  custom_attributes: [],
  automation_rewrite: [],
  automation_filter: [],
  automation_customvars: [],
};
let position = 0;
const [, , mode = 'engine', count = '100000', repeat = '1'] = process.argv;
const times = Array.from({ length: Number(repeat) }, (_, index) => index);
function add(type: string, condition_typ: string, conditions: JsonObject[], outcomes: JsonObject[]): void {
  rules[type]?.push({
    name: `r${position}`,
    sort_field: position++,
    enabled: true,
    condition_typ,
    conditions,
    outcomes,
  });
}

const CONDITIONS: (readonly [string, JsonObject[]])[] = [
  ['all', [tag('site', 'equal', 'codfw')]],
  ['all', [tag('site', 'in', 'qia'), tag('env', 'equal', 'production')]],
  ['any', [tag('os', 'swith', 'linux'), tag('os', 'ewith', '2022')]],
  ['all', [tag('role', 'in_list', 'role1, role2, role3')]],
  ['all', [tag('tags', 'string_in_list', 't5')]],
  ['all', [tag('cluster', 'regex', 'cluster-[0-9]$')]],
  ['all', [tag('managed', 'bool', 'true')]],
  ['all', [{ match_type: 'host', hostname: 'web', hostname_match: 'swith' }]],
  ['all', [{ match_type: 'host', hostname: 'host0[0-4].*', hostname_match: 'regex' }]],
  ['all', [{ match_type: 'tag', tag: 'extra_', tag_match: 'swith', value: 'value 3 of 7', value_match: 'equal' }]],
  ['all', [{ match_type: 'tag', tag: 'decommissioned', tag_match: 'ignore', tag_match_negate: true }]],
  ['all', [tag('owner', 'not_in', 'team3'), tag('cores', 'equal', '8', { value_match_negate: true })]],
];
for (const _ of times)
  for (let index = 0; index < 24; index++) {
    const [mode, conditions] = CONDITIONS[index % 12]!;
    const value = index < 2 ? '{{ site }}-{{ role }}' : index === 2 ? '{{ owner|upper }}' : `v${index}`;
    add('custom_attributes', mode, conditions, [{ attribute_name: `attr_${index}`, attribute_value: value }]);
  }
for (const _ of times)
  for (let index = 0; index < 8; index++) {
    const [mode, conditions] = CONDITIONS[(index * 5) % 12]!;
    add('automation_rewrite', mode, conditions, [
      index % 2 === 0
        ? {
            old_attribute_name: `extra_${index}`,
            overwrite_name: 'string',
            new_attribute_name: `x_${index}`,
            overwrite_value: '',
          }
        : {
            old_attribute_name: 'ip',
            overwrite_name: '',
            overwrite_value: index === 1 ? 'split' : '',
            new_value: '.:3',
          },
    ]);
  }
for (const _ of times)
  for (let index = 0; index < 6; index++) {
    const [mode, conditions] = CONDITIONS[(index * 7) % 12]!;
    const name = ['site', 'extra_*', 'attr_*', 'x_*', '!extra_7', 'os'][index]!;
    add('automation_filter', mode, conditions, [{ action: 'whitelist_attribute', attribute_name: name }]);
  }
for (const _ of times)
  for (let index = 0; index < 12; index++) {
    const [mode, conditions] = CONDITIONS[index]!;
    const value = index === 0 ? '{{ ip }}' : index === 1 ? 'site_{{ site }}, {{ os|lower }}' : `var ${index}`;
    const name = index === 1 ? 'ansible_groups' : index === 0 ? 'ansible_host' : `var_${index}`;
    add('automation_customvars', mode, conditions, [{ attribute_name: name, attribute_value: value }]);
  }

type Attributes = Map<string, JsonValue>;
type Hand = (attributes: Attributes, hostname: string) => boolean;
const text = (value: JsonValue | undefined) => (value === undefined ? undefined : String(value));
const HAND: Hand[] = [
  (a) => text(a.get('site'))?.toLowerCase() === 'codfw',
  (a) =>
    (text(a.get('site'))?.toLowerCase().includes('qia') ?? false) && text(a.get('env'))?.toLowerCase() === 'production',
  (a) =>
    (text(a.get('os'))?.toLowerCase().startsWith('linux') ?? false) ||
    (text(a.get('os'))?.toLowerCase().endsWith('2022') ?? false),
  (a) => HAND_ROLES.has(text(a.get('role')) ?? ''),
  (a) => {
    const tags = a.get('tags');
    return Array.isArray(tags) && tags.includes('t5');
  },
  (a) => HAND_CLUSTER.test(text(a.get('cluster')) ?? ''),
  (a) => {
    const value = text(a.get('managed'));
    return value !== undefined && !HAND_FALSE.has(value.toLowerCase());
  },
  (_a, hostname) => hostname.toLowerCase().startsWith('web'),
  (_a, hostname) => HAND_HOST.test(hostname.toLowerCase()),
  (a) => {
    for (const [name, value] of a)
      if (name.toLowerCase().startsWith('extra_') && text(value)?.toLowerCase() === 'value 3 of 7') return true;
    return false;
  },
  (a) => !a.has('decommissioned'),
  (a) => {
    const owner = text(a.get('owner'));
    const cores = a.get('cores');
    return owner !== undefined && !owner.toLowerCase().includes('team3') && cores !== undefined && text(cores) !== '8';
  },
];
const HAND_ROLES = new Set(['role1', 'role2', 'role3']);
const HAND_FALSE = new Set(['', '0', 'false', 'none', 'null']);
const HAND_CLUSTER = /^(?:cluster-[0-9]$)/;
const HAND_HOST = /^(?:host0[0-4].*)/;

function repeated<T>(items: readonly T[]): readonly T[] {
  return times.flatMap(() => items);
}

function handOutcome(index: number): (a: Attributes) => JsonValue {
  if (index < 2) return (a) => `${a.get('site')}-${a.get('role')}`.trim();
  if (index === 2) return (a) => String(a.get('owner')).toUpperCase().trim();
  return () => `v${index}`;
}

const handAttributes = repeated(
  Array.from({ length: 24 }, (_, index) => ({
    test: HAND[index % 12]!,
    name: `attr_${index}`,
    value: handOutcome(index),
  })),
);
const handRewrites = repeated(
  Array.from({ length: 8 }, (_, index) => ({
    test: HAND[(index * 5) % 12]!,
    act: (a: Attributes) => {
      if (index % 2 === 0) {
        const old = a.get(`extra_${index}`);
        a.delete(`extra_${index}`);
        if (old !== undefined) a.set(`x_${index}`, old);
      } else if (index === 1) {
        const ip = String(a.get('ip'));
        a.set('ip', ip.split('.')[3] ?? ip);
      }
    },
  })),
);
const handFilters = repeated(
  ['site', 'extra_*', 'attr_*', 'x_*', '!extra_7', 'os'].map((name, index) => ({
    test: HAND[(index * 7) % 12]!,
    name,
  })),
);
const handVariables = repeated(
  Array.from({ length: 12 }, (_, index) => ({
    test: HAND[index]!,
    name: index === 1 ? 'ansible_groups' : index === 0 ? 'ansible_host' : `var_${index}`,
    value: (a: Attributes): JsonValue =>
      index === 0
        ? String(a.get('ip'))
        : index === 1
          ? `site_${a.get('site')}, ${String(a.get('os')).toLowerCase()}`
          : `var ${index}`,
  })),
);

function byHand(hostname: string, labels: string): { text: string; groups: readonly string[] } {
  const a: Attributes = new Map();
  a.set('SOURCE_ACCOUNT', 'cmdb');
  const parsed = JSON.parse(labels) as JsonObject;
  for (const key in parsed) a.set(key, parsed[key]!);
  for (const { test, name, value } of handAttributes) if (test(a, hostname)) a.set(name, value(a));
  for (const { test, act } of handRewrites) if (test(a, hostname)) act(a);
  a.set('HOSTNAME', hostname);
  const exact = new Set<string>();
  const prefixes: string[] = [];
  const hidden = new Set<string>();
  for (const { test, name } of handFilters) {
    if (!test(a, hostname)) continue;
    if (name.startsWith('!')) hidden.add(name.slice(1));
    else if (name.endsWith('*')) prefixes.push(name.slice(0, -1));
    else exact.add(name);
  }
  const result: Record<string, JsonValue> = {};
  for (const [name, value] of a)
    if (!hidden.has(name) && (exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix))))
      result[name] = value;
  for (const { test, name, value } of handVariables) if (test(a, hostname)) result[name] = value(a);
  const groups =
    typeof result.ansible_groups === 'string' ? result.ansible_groups.split(',').map((group) => group.trim()) : [];
  return { text: JSON.stringify(result), groups };
}

const hosts = Array.from({ length: Number(count) }, (_, index) => ({
  hostname: `${index % 3 === 0 ? 'web' : 'HOST'}${String(index).padStart(6, '0')}.example.org`,
  labels: labelsText(index),
}));
const program = compileProgram({
  revision: '1',
  project: null,
  types: EVALUATED,
  rules: new Map(Object.entries(rules)),
  templates: [],
  accounts: [{ id: 'a1', name: 'cmdb', field: () => undefined }],
  now: () => new Date(),
});
const EMPTY = '{}';
function byEngine(hostname: string, labels: string): { text: string; groups: readonly string[] } {
  const evaluated = program.evaluate({
    hostname,
    accountId: 'a1',
    isObject: false,
    objectType: 'host',
    labels: StoredJson.ofText(labels),
    inventory: StoredJson.ofText(EMPTY),
    members: StoredJson.ofText(EMPTY),
    folder: null,
    createdAt: new Date(0),
    lastSeen: null,
    lastUpdate: null,
    archive: null,
  });
  return { text: evaluated.variables.text, groups: evaluated.groups };
}
const run = mode === 'hand' ? byHand : byEngine;
const start = process.cpuUsage();
let bytes = 0;
const sample = createHash('sha256');
for (let index = 0; index < hosts.length; index++) {
  const { hostname, labels } = hosts[index]!;
  const { text, groups } = run(hostname, labels);
  bytes += text.length + groups.length;
  if (index % 1000 === 0) sample.update(JSON.stringify(Object.entries(JSON.parse(text) as JsonObject).sort()));
}
const { user, system } = process.cpuUsage(start);
const elapsed = (user + system) / 1000;
console.log(
  JSON.stringify({
    mode,
    rules: position,
    ms: Math.round(elapsed),
    bytes,
    sample: sample.digest('hex').slice(0, 12),
    rss: Math.round(process.memoryUsage().rss / 1e6),
    errors: program.errors(),
  }),
);
