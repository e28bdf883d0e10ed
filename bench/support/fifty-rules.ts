import type { JsonObject, JsonValue } from '../../src/ports/json.ts';

/** Fifty rules with every kind of condition and five templates: as documents, and the same by hand as closures. */

type RuleDocuments = Record<string, JsonObject[]>;

function tag(name: string, value_match: string, value: string, more: JsonObject = {}): JsonObject {
  return { match_type: 'tag', tag: name, tag_match: 'equal', value, value_match, ...more };
}

function host(hostname_match: string, hostname: string): JsonObject {
  return { match_type: 'host', hostname, hostname_match };
}

const CONDITIONS: readonly (readonly [mode: string, conditions: readonly JsonObject[]])[] = [
  ['all', [tag('site', 'equal', 'codfw')]],
  ['all', [tag('site', 'in', 'qia'), tag('env', 'equal', 'production')]],
  ['any', [tag('os', 'swith', 'linux'), tag('os', 'ewith', '2022')]],
  ['all', [tag('role', 'in_list', 'role1, role2, role3')]],
  ['all', [tag('tags', 'string_in_list', 't5')]],
  ['all', [tag('cluster', 'regex', 'cluster-[0-9]$')]],
  ['all', [tag('managed', 'bool', 'true')]],
  ['all', [host('swith', 'web')]],
  ['all', [host('regex', 'host0[0-4].*')]],
  ['all', [{ match_type: 'tag', tag: 'extra_', tag_match: 'swith', value: 'value 3 of 7', value_match: 'equal' }]],
  [
    'all',
    [
      {
        match_type: 'tag',
        tag: 'decommissioned',
        tag_match: 'ignore',
        tag_match_negate: true,
        value: '',
        value_match: 'ignore',
      },
    ],
  ],
  ['all', [tag('owner', 'not_in', 'team3'), tag('cores', 'equal', '8', { value_match_negate: true })]],
];

const FILTERED = ['site', 'extra_*', 'attr_*', 'x_*', '!extra_7', 'os'];

export function fiftyRules(): RuleDocuments {
  const rules: RuleDocuments = {
    custom_attributes: [],
    automation_rewrite: [],
    automation_filter: [],
    automation_customvars: [],
  };
  let position = 0;
  const add = (type: string, condition: number, outcome: JsonObject): void => {
    const [condition_typ, conditions] = CONDITIONS[condition % CONDITIONS.length] ?? ['all', []];
    const rule = { name: `r${position}`, sort_field: position++, enabled: true, condition_typ, conditions };
    rules[type]?.push({ ...rule, outcomes: [outcome] });
  };
  for (let index = 0; index < 24; index++) {
    const value = index < 2 ? '{{ site }}-{{ role }}' : index === 2 ? '{{ owner|upper }}' : `v${index}`;
    add('custom_attributes', index, { attribute_name: `attr_${index}`, attribute_value: value });
  }
  for (let index = 0; index < 8; index++) {
    add('automation_rewrite', index * 5, index % 2 === 0 ? renaming(index) : splitting(index));
  }
  for (const [index, attribute_name] of FILTERED.entries()) {
    add('automation_filter', index * 7, { action: 'whitelist_attribute', attribute_name });
  }
  for (let index = 0; index < 12; index++) {
    add('automation_customvars', index, { attribute_name: variableName(index), attribute_value: variableText(index) });
  }
  return rules;
}

function renaming(index: number): JsonObject {
  return {
    old_attribute_name: `extra_${index}`,
    overwrite_name: 'string',
    new_attribute_name: `x_${index}`,
    overwrite_value: '',
  };
}

function splitting(index: number): JsonObject {
  return {
    old_attribute_name: 'ip',
    overwrite_name: '',
    overwrite_value: index === 1 ? 'split' : '',
    new_value: '.:3',
  };
}

function variableName(index: number): string {
  return index === 1 ? 'ansible_groups' : index === 0 ? 'ansible_host' : `var_${index}`;
}

function variableText(index: number): string {
  return index === 0 ? '{{ ip }}' : index === 1 ? 'site_{{ site }}, {{ os|lower }}' : `var ${index}`;
}

type Attributes = Map<string, JsonValue>;
type HandTest = (attributes: Attributes, hostname: string) => boolean;

const ROLES = new Set(['role1', 'role2', 'role3']);
const FALSE = new Set(['', '0', 'false', 'none', 'null']);
const CLUSTER = /^(?:cluster-[0-9]$)/;
const HOST = /^(?:host0[0-4].*)/;

function text(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function lower(value: JsonValue | undefined): string | undefined {
  return text(value)?.toLowerCase();
}

const TESTS: readonly HandTest[] = [
  (a) => lower(a.get('site')) === 'codfw',
  (a) => (lower(a.get('site'))?.includes('qia') ?? false) && lower(a.get('env')) === 'production',
  (a) => (lower(a.get('os'))?.startsWith('linux') ?? false) || (lower(a.get('os'))?.endsWith('2022') ?? false),
  (a) => ROLES.has(text(a.get('role')) ?? ''),
  (a) => {
    const tags = a.get('tags');
    return Array.isArray(tags) && tags.includes('t5');
  },
  (a) => CLUSTER.test(text(a.get('cluster')) ?? ''),
  (a) => {
    const value = lower(a.get('managed'));
    return value !== undefined && !FALSE.has(value);
  },
  (_a, hostname) => hostname.toLowerCase().startsWith('web'),
  (_a, hostname) => HOST.test(hostname.toLowerCase()),
  (a) => {
    for (const [name, value] of a) {
      if (name.toLowerCase().startsWith('extra_') && lower(value) === 'value 3 of 7') return true;
    }
    return false;
  },
  (a) => !a.has('decommissioned'),
  (a) => {
    const owner = lower(a.get('owner'));
    const cores = a.get('cores');
    return owner !== undefined && !owner.includes('team3') && cores !== undefined && text(cores) !== '8';
  },
];

function testOf(index: number): HandTest {
  return TESTS[index % TESTS.length] as HandTest;
}

const ATTRIBUTES = Array.from({ length: 24 }, (_, index) => ({
  test: testOf(index),
  name: `attr_${index}`,
  value: (a: Attributes): JsonValue => {
    if (index < 2) return `${a.get('site')}-${a.get('role')}`.trim();
    return index === 2 ? String(a.get('owner')).toUpperCase().trim() : `v${index}`;
  },
}));

const REWRITES = Array.from({ length: 8 }, (_, index) => ({
  test: testOf(index * 5),
  act(a: Attributes): void {
    if (index % 2 === 0) {
      const old = a.get(`extra_${index}`);
      a.delete(`extra_${index}`);
      if (old !== undefined) a.set(`x_${index}`, old);
    } else if (index === 1) {
      const ip = String(a.get('ip'));
      a.set('ip', ip.split('.')[3] ?? ip);
    }
  },
}));

const FILTERS = FILTERED.map((name, index) => ({ test: testOf(index * 7), name }));

const VARIABLES = Array.from({ length: 12 }, (_, index) => ({
  test: testOf(index),
  name: variableName(index),
  value: (a: Attributes): JsonValue => {
    if (index === 0) return String(a.get('ip'));
    return index === 1 ? `site_${a.get('site')}, ${String(a.get('os')).toLowerCase()}` : `var ${index}`;
  },
}));

/** What the fifty rules make of one host. */
export function byHand(
  hostname: string,
  labels: string,
  account: string,
): { variables: string; groups: readonly string[] } {
  const attributes: Attributes = new Map([['SOURCE_ACCOUNT', account]]);
  const parsed = JSON.parse(labels) as JsonObject;
  for (const key in parsed) attributes.set(key, parsed[key] as JsonValue);
  for (const { test, name, value } of ATTRIBUTES) {
    if (test(attributes, hostname)) attributes.set(name, value(attributes));
  }
  for (const { test, act } of REWRITES) if (test(attributes, hostname)) act(attributes);
  attributes.set('HOSTNAME', hostname);
  const exact = new Set<string>();
  const prefixes: string[] = [];
  const hidden = new Set<string>();
  for (const { test, name } of FILTERS) {
    if (!test(attributes, hostname)) continue;
    if (name.startsWith('!')) hidden.add(name.slice(1));
    else if (name.endsWith('*')) prefixes.push(name.slice(0, -1));
    else exact.add(name);
  }
  const result: Record<string, JsonValue> = {};
  for (const [name, value] of attributes) {
    if (hidden.has(name)) continue;
    if (exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix))) result[name] = value;
  }
  for (const { test, name, value } of VARIABLES) {
    if (test(attributes, hostname)) result[name] = value(attributes);
  }
  const groups = result.ansible_groups;
  return {
    variables: JSON.stringify(result),
    groups: typeof groups === 'string' ? groups.split(',').map((group) => group.trim()) : [],
  };
}
