import { describe, expect, it } from 'vitest';
import { type JsonObject, StoredJson } from '../../../src/ports/json.ts';
import { account, hostRecord, program, rule } from './support.ts';

const DROP = { names: 'keep', ansibleLabels: 'drop' } as const;
const LABELS = { os: 'Linux', site: 'codfw', tags: ['a', 'b'], zero: 0, no: false, empty: '' };

function variables(rules: Record<string, readonly JsonObject[]>, labels: JsonObject = LABELS, more = {}): JsonObject {
  const evaluated = program(rules, more).evaluate(hostRecord({ labels, accountId: null }));
  return { ...evaluated.variables.value, ...evaluated.expressions };
}

function rewritten(outcome: JsonObject, labels: JsonObject = LABELS): JsonObject {
  const { HOSTNAME, ...rest } = variables({ automation_rewrite: [rule([outcome])] }, labels);
  expect(HOSTNAME).toBe('web01.example.org');
  return rest;
}

describe('attributes', () => {
  it('come in order: account, labels, inventory, templates in gaps, rules, HOSTNAME', () => {
    const compiled = program(
      {
        custom_attributes: [
          rule([{ attribute_name: 'made', attribute_value: '{{ cmk__v }}{{ gap }}{{ SOURCE_ACCOUNT }}' }]),
        ],
      },
      {
        templates: [
          { hostname: 't2', cmdb_match: 'os:Linux', labels: { gap: 'second', os: 'never', late: 2 } },
          { hostname: 't1', cmdb_match: 'os:Linux', labels: { gap: 'first' } },
          { hostname: 't3', _id: { $oid: 'c'.repeat(24) }, labels: { late: 'named', cmk__v: 'never' } },
          { hostname: 't4', cmdb_match: 'os:linux', labels: { other: 'case matters' } },
        ],
      },
    );
    const evaluated = compiled.evaluate(
      hostRecord({
        labels: { os: 'Linux', HOSTNAME: 'no' },
        inventory: { cmk: { v: 1, deep: { a: 1 } } },
        members: { cmdb_templates: [{ $oid: 'c'.repeat(24) }] },
      }),
    );
    expect(evaluated.variables.value).toEqual({
      SOURCE_ACCOUNT: 'cmdb',
      os: 'Linux',
      HOSTNAME: 'web01.example.org',
      cmk__v: 1,
      cmk__deep: { a: 1 },
      gap: 'first',
      late: 'named',
      made: '1firstcmdb',
    });
  });

  it('leave labels by which Ansible runs programs to rules, where that is wanted', () => {
    const labels = { ansible_connection: 'ssh', ansible_groups: 'web', ansible: 'x', port: '22' };
    const rules = {
      automation_customvars: [rule([{ attribute_name: 'ansible_port', attribute_value: '{{ port }}' }])],
    };
    const { HOSTNAME, ...dropped } = variables(rules, labels, { served: DROP });
    expect(dropped).toEqual({ ansible_groups: 'web', ansible: 'x', port: '22', ansible_port: '22' });
    expect(variables(rules, labels)).toMatchObject({ ansible_connection: 'ssh' });
    const explained = program(rules, { served: DROP }).explain(hostRecord({ labels }));
    expect(JSON.stringify(explained)).not.toContain('ansible_connection');
  });

  it('are explained under the names that consumers get, with those of which another became the same', () => {
    const labels = { 'a.b': 1, a_b: 2, 'x-y': 3, plain: 4 };
    const compiled = program({}, { served: { names: 'identifier', ansibleLabels: 'safe' } });
    const { attributes, result } = compiled.explain(hostRecord({ labels, accountId: null }));
    expect(result).toEqual({ a_b: 1, x_y: 3, plain: 4, HOSTNAME: 'web01.example.org' });
    const said = attributes.map(({ name, servedAs, withheld }) => [name, servedAs ?? withheld]);
    expect(said).toEqual([
      ['a.b', 'a_b'],
      ['a_b', '"a.b" is "a_b" too, and is served in its place'],
      ['x-y', 'x_y'],
      ['plain', undefined],
      ['HOSTNAME', undefined],
    ]);
  });

  it('of a host called like the controller are explained as they are served: only rules lead elsewhere', () => {
    const rules = {
      automation_customvars: [rule([{ attribute_name: 'ansible_connection', attribute_value: 'local' }])],
    };
    const labels = { ansible_host: '192.0.2.1', rack: 'R1' };
    const explained = program(rules).explain(hostRecord({ hostname: 'localhost', labels, accountId: null }));
    expect(explained.result).toEqual({ rack: 'R1', HOSTNAME: 'localhost', ansible_connection: 'local' });
    expect(explained.attributes.find(({ name }) => name === 'ansible_host')?.withheld).toContain('comes from data');
  });

  it('keep any name, and values as they are', () => {
    const labels: JsonObject = JSON.parse(
      '{"__proto__":"p","constructor":"c","10":"ten","app.k8s.io/name":"n","q\\"":"\\u2028\\ud800"}',
    );
    const { HOSTNAME, ...rest } = variables({}, labels);
    expect(JSON.stringify(Object.entries(rest).sort())).toBe(JSON.stringify(Object.entries(labels).sort()));
  });
});

describe('custom_attributes', () => {
  it('set attributes for the rules after them; True and False become booleans', () => {
    const rules = [
      rule([{ attribute_name: 'b', attribute_value: '{{ a }}2' }], { sort_field: '10' }),
      rule(
        [
          { attribute_name: 'a', attribute_value: '1' },
          { attribute_name: 't', attribute_value: 'True' },
        ],
        { sort_field: 2 },
      ),
      rule([
        { attribute_name: 'f', attribute_value: 'False' },
        { attribute_name: 'low', attribute_value: 'true' },
      ]),
      rule([{ attribute_name: 'failed', attribute_value: 'x{{ missing }}' }]),
      rule([{ attribute_name: 'off', attribute_value: '1' }], { enabled: false }),
      rule([{ attribute_name: 'off', attribute_value: '1' }], { enabled: null }),
    ];
    expect(variables({ custom_attributes: rules }, {}, { textBooleans: false })).toEqual({
      a: '1',
      b: '12',
      t: true,
      f: false,
      low: 'true',
      failed: '',
      HOSTNAME: 'web01.example.org',
    });
  });

  it('see the first match of their conditions', () => {
    const conditions = [
      { match_type: 'host', hostname: 'web', hostname_match: 'swith' },
      { match_type: 'tag', tag: 's', tag_match: 'swith', value: 'codfw', value_match: 'equal' },
      { match_type: 'tag', tag: 'os', tag_match: 'equal', value: '', value_match: 'ignore' },
    ];
    const outcomes = [{ attribute_name: 'm', attribute_value: '{{ FIRST_MATCHING_TAG }}={{ FIRST_MATCHING_VALUE }}' }];
    expect(variables({ custom_attributes: [rule(outcomes, { condition_typ: 'all', conditions })] }).m).toBe(
      'site=codfw',
    );
    expect(variables({ custom_attributes: [rule(outcomes)] }).m).toBe('');
  });

  it('stop after a hit with last_match', () => {
    const set = (value: string, more: JsonObject) => rule([{ attribute_name: 'a', attribute_value: value }], more);
    const miss = { condition_typ: 'any', last_match: true, sort_field: 0 };
    const rules = [set('0', miss), set('1', { last_match: true, sort_field: 1 }), set('2', { sort_field: 2 })];
    expect(variables({ custom_attributes: rules }).a).toBe('1');
  });
});

describe('automation_rewrite', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['keeps name and value', { old_attribute_name: 'os' }, { os: 'L' }, { os: 'L' }],
    ['makes nothing of nothing', { old_attribute_name: 'gone' }, { os: 'L' }, { os: 'L' }],
    [
      'makes an attribute that is not there',
      { old_attribute_name: 'n', overwrite_value: 'string', new_value: 'v' },
      {},
      { n: 'v' },
    ],
    ['renames', { old_attribute_name: 'os', overwrite_name: 'string', new_attribute_name: 'p' }, { os: 0 }, { p: 0 }],
    [
      'keeps false and empty values',
      { old_attribute_name: 'f', overwrite_name: 'string', new_attribute_name: 'g' },
      { f: '' },
      { g: '' },
    ],
    [
      'renames by template',
      { old_attribute_name: 'os', overwrite_name: 'jinja', new_attribute_name: 'x_{{ os|lower }}' },
      { os: 'L' },
      { x_l: 'L' },
    ],
    [
      'keeps the name for an empty one',
      { old_attribute_name: 'os', overwrite_name: 'jinja', new_attribute_name: '{{ gone }}' },
      { os: 'L' },
      { os: 'L' },
    ],
    [
      'renders a value',
      { old_attribute_name: 'os', overwrite_value: 'jinja', new_value: '{{ os }}!' },
      { os: 'L' },
      { os: 'L!' },
    ],
    [
      'adds nothing for an empty rendering',
      { old_attribute_name: 'n', overwrite_value: 'jinja', new_value: '{{ gone }}' },
      {},
      {},
    ],
    ['splits', { old_attribute_name: 'h', overwrite_value: 'split', new_value: '.:1' }, { h: 'a.b.c' }, { h: 'b' }],
    [
      'splits from the end',
      { old_attribute_name: 'h', overwrite_value: 'split', new_value: '.:-1' },
      { h: 'a.b.c' },
      { h: 'c' },
    ],
    [
      'splits at a colon',
      { old_attribute_name: 'h', overwrite_value: 'split', new_value: '::1' },
      { h: 'a:b' },
      { h: 'b' },
    ],
    [
      'keeps the value of a failed split',
      { old_attribute_name: 'h', overwrite_value: 'split', new_value: '.:7' },
      { h: 'a.b' },
      { h: 'a.b' },
    ],
    [
      'keeps a number of which there is nothing to split',
      { old_attribute_name: 'n', overwrite_value: 'split', new_value: '.:0' },
      { n: 42 },
      { n: 42 },
    ],
    [
      'keeps a number of which there is no such part',
      { old_attribute_name: 'n', overwrite_value: 'split', new_value: '.:5' },
      { n: 4.2 },
      { n: 4.2 },
    ],
    ...['', 'string', 'jinja'].map((overwrite_name): [string, JsonObject, JsonObject, JsonObject] => [
      `makes the new attribute where no old one is named (name mode "${overwrite_name}")`,
      {
        old_attribute_name: '',
        overwrite_name,
        new_attribute_name: 'made',
        overwrite_value: 'jinja',
        new_value: '{{ os }}!',
      },
      { os: 'L' },
      { os: 'L', made: 'L!' },
    ]),
    [
      'makes the attributes of a list where no old one is named',
      {
        old_attribute_name: '',
        overwrite_name: 'convert_list',
        new_attribute_name: '{{ l }}',
        overwrite_value: 'string',
        new_value: 'y',
      },
      { l: ['a'] },
      { l: ['a'], a: 'y' },
    ],
    [
      'makes nothing where the new name turns out empty',
      {
        old_attribute_name: '',
        overwrite_name: 'jinja',
        new_attribute_name: '{{ gone }}',
        overwrite_value: 'string',
        new_value: 'y',
      },
      { os: 'L' },
      { os: 'L' },
    ],
    [
      'makes an attribute of each element',
      {
        old_attribute_name: 'l',
        overwrite_name: 'convert_list',
        new_attribute_name: '{{ result }}',
        overwrite_value: 'string',
        new_value: 'y',
      },
      { l: ['a', 'b'] },
      { l: ['a', 'b'], a: 'y', b: 'y' },
    ],
    [
      'reads lists as JSON too, and keeps the value',
      { old_attribute_name: 'l', overwrite_name: 'convert_list', new_attribute_name: '["r_{{ result }}"]' },
      { l: 'x' },
      { l: 'x', r_x: 'x' },
    ],
    [
      'makes nothing of what is no list',
      { old_attribute_name: 'l', overwrite_name: 'convert_list', new_attribute_name: '{{ result }}' },
      { l: 'x' },
      { l: 'x' },
    ],
  ])('%s', (_name, outcome, labels, expected) => {
    expect(rewritten(outcome, labels)).toEqual(expected);
  });

  it('lets each rule see the one before, in its project only', () => {
    const rename = (from: string, to: string, more: JsonObject = {}) =>
      rule([{ old_attribute_name: from, overwrite_name: 'string', new_attribute_name: to }], more);
    const rules = [
      rename('os', 'a', { sort_field: 1 }),
      rename('a', 'b', { sort_field: 2 }),
      rename('b', 'c', { project: 'p', sort_field: 3 }),
    ];
    expect(variables({ automation_rewrite: rules }, { os: 1 })).toMatchObject({ b: 1 });
    const inProject = variables(
      { automation_rewrite: rules },
      { b: 1 },
      { project: { id: 'f'.repeat(24), name: 'p' } },
    );
    expect(inProject).toMatchObject({ c: 1 });
    const byId = rename('b', 'c', { project: { $oid: 'f'.repeat(24) } });
    expect(
      variables({ automation_rewrite: [byId] }, { b: 1 }, { project: { id: 'f'.repeat(24), name: 'p' } }),
    ).toMatchObject({ c: 1 });
  });
});

describe('projects', () => {
  it('named Default mean none, by name and by id', () => {
    const id = 'd'.repeat(24);
    const set = (attribute_name: string, project: JsonObject[string]) =>
      rule([{ attribute_name, attribute_value: '1' }], { project });
    const rules = {
      automation_customvars: [
        set('a', 'Default'),
        set('b', { $oid: id }),
        set('c', ''),
        set('d', null),
        set('e', { $oid: 'e'.repeat(24) }),
      ],
    };
    const projects = [{ name: 'Default', _id: { $oid: id } }];
    expect(Object.keys(variables(rules, {}, { projects })).sort()).toEqual(['HOSTNAME', 'a', 'b', 'c', 'd']);
    expect(Object.keys(variables(rules, {}, { projects, project: { id, name: 'Default' } })).sort()).toEqual([
      'HOSTNAME',
      'a',
      'b',
      'c',
      'd',
    ]);
    expect(Object.keys(variables(rules, {}, { projects, project: { id: '', name: 'p' } }))).toEqual(['HOSTNAME']);
  });
});

describe('automation_filter', () => {
  const show = (...names: string[]) =>
    names.map((attribute_name) => ({ action: 'whitelist_attribute', attribute_name }));

  it('lets everything pass while there is no enabled rule', () => {
    expect(Object.keys(variables({ automation_filter: [rule(show('os'), { enabled: false })] }))).toContain('site');
    expect(Object.keys(variables({ automation_filter: [rule(show('os'), { project: 'p' })] }))).toContain('site');
  });

  it('shows names, prefixes and values, and hides again', () => {
    expect(variables({ automation_filter: [rule(show('os', 'si*', 'OS'))] })).toEqual({ os: 'Linux', site: 'codfw' });
    expect(variables({ automation_filter: [rule(show('*', '!t*', '!HOSTNAME'))] })).toEqual({
      os: 'Linux',
      site: 'codfw',
      zero: 0,
      no: false,
      empty: '',
    });
    const byValue = (...names: string[]) =>
      names.map((attribute_name) => ({ action: 'whitelist_attribute_value', attribute_name }));
    expect(variables({ automation_filter: [rule(byValue('Lin*', '0', 'web01*', '!*.org'))] })).toEqual({
      os: 'Linux',
      zero: 0,
      HOSTNAME: 'web01.example.org',
    });
  });

  it('shows nothing of a host that no rule hits, and nothing for a rule that does not compile', () => {
    expect(variables({ automation_filter: [rule(show('*'), { condition_typ: 'any' })] })).toEqual({});
    const broken = { automation_filter: [rule([{ action: 'nonsense' }])] };
    expect(variables(broken)).toEqual({});
    expect(program(broken).errors()).toMatchObject([{ type: 'automation_filter', errors: 1, lastHostname: '' }]);
  });

  it('takes hosts out', () => {
    const evaluated = program({ automation_filter: [rule([{ action: 'ignore_hosts' }])] }).evaluate(hostRecord());
    expect(evaluated).toMatchObject({ included: false, groups: [] });
  });
});

describe('automation_customvars', () => {
  const set = (attribute_name: string, attribute_value: JsonObject[string], more: JsonObject = {}) =>
    rule([{ attribute_name, attribute_value, ...more }]);

  it('are computed on all attributes and laid over the visible ones', () => {
    const rules = {
      automation_filter: [rule([{ action: 'whitelist_attribute', attribute_name: 'os' }])],
      automation_customvars: [
        set('os', '{{ site }}'),
        set('t', 'true'),
        set('f', 'False'),
        set('n', 5),
        set('sum', '{{ 1 + 1 }}'),
      ],
    };
    expect(variables(rules)).toEqual({ os: 'codfw', t: true, f: false, n: 5, sum: '2' });
  });

  it.each<[JsonObject[string], readonly string[]]>([
    ['a, b ,,a', ['a', 'b']],
    ['{{ tags }}', ['a', 'b']],
    ['role_{{ os|lower }}', ['role_linux']],
    [
      ['x', ' y '],
      ['x', 'y'],
    ],
    ['all,_meta,z', ['z']],
    ['', []],
  ])('put the host into groups: %j', (value, groups) => {
    const evaluated = program({ automation_customvars: [set('ansible_groups', value)] }).evaluate(
      hostRecord({ labels: LABELS }),
    );
    expect(evaluated.groups).toEqual(groups);
  });

  it('take the host out by the variable ignore_host, whatever its value', () => {
    const variable = rule([{ attribute_name: 'ignore_host', attribute_value: '' }], {
      condition_typ: 'all',
      conditions: [{ match_type: 'host', hostname: 'web02', hostname_match: 'swith' }],
    });
    const compiled = program({ automation_customvars: [variable] });
    const web02 = hostRecord({ hostname: 'web02' });
    expect(compiled.evaluate(hostRecord())).toMatchObject({ included: true });
    expect(compiled.evaluate(web02)).toEqual({
      hostname: 'web02',
      included: false,
      variables: StoredJson.ofValue({}),
      groups: [],
    });
    expect(compiled.explain(web02)).toMatchObject({
      included: false,
      leftOut: 'its variable ignore_host takes the host out.',
      result: {},
    });
  });

  it('keep expressions apart, unrendered, until a plain value takes their place', () => {
    const expression = set('e', '{{ lookup("env", "HOME") }} ', { expression: true });
    const evaluated = program({ automation_customvars: [expression] }).evaluate(hostRecord({ labels: { e: 'label' } }));
    expect(evaluated.expressions).toEqual({ e: '{{ lookup("env", "HOME") }} ' });
    expect(evaluated.variables.value).not.toHaveProperty('e');
    const after = program({ automation_customvars: [expression, set('e', 'plain')] }).evaluate(hostRecord());
    expect(after).not.toHaveProperty('expressions');
    expect(after.variables.value).toMatchObject({ e: 'plain' });
  });

  it('show account fields as data, never as templates', () => {
    const accounts = [account({ password: '{{ 7 * 7 }}' })];
    expect(variables({ automation_customvars: [set('p', '{{ACCOUNT:cmdb:password}}')] }, {}, { accounts }).p).toBe(
      '{{ 7 * 7 }}',
    );
  });
});

describe('failures', () => {
  it('are counted on their rule and cost nothing else', () => {
    const compiled = program({
      custom_attributes: [
        rule([{ attribute_name: 'a', attribute_value: '{{ missing }}' }], {
          name: 'bad',
          _id: { $oid: 'a'.repeat(24) },
        }),
        rule([{ attribute_name: 'b', attribute_value: 'fine' }]),
        rule([{ attribute_name: 'c', attribute_value: '{% for x in range(10**9) %}x{% endfor %}' }], {
          name: 'endless',
        }),
      ],
    });
    for (const hostname of ['h1', 'h2']) {
      expect(compiled.evaluate(hostRecord({ hostname })).variables.value).toMatchObject({ a: '', b: 'fine', c: '' });
    }
    expect(compiled.errors()).toMatchObject([
      { type: 'custom_attributes', name: 'bad', id: 'a'.repeat(24), errors: 2, lastHostname: 'h2' },
      { name: 'endless', errors: 2 },
    ]);
  });

  it('of a third-party action are counted too', () => {
    const type = {
      id: 'custom_x',
      conditional: false,
      keyedBy: 'name',
      evaluation: {
        stage: 'variables',
        compile: () => () => {
          throw new Error('fault');
        },
      },
    };
    const compiled = program({ custom_x: [{ name: 'x', enabled: true }] }, { types: [type as never] });
    expect(compiled.evaluate(hostRecord()).included).toBe(true);
    expect(compiled.errors()).toMatchObject([{ name: 'x', errors: 1, lastError: 'fault' }]);
  });
});

describe('cmk_password', () => {
  it('gives the name that a monitoring system keeps a password under, and no secret', () => {
    const rules = {
      custom_attributes: [
        rule([
          { attribute_name: 'known', attribute_value: '{{ cmk_password("snmp") }}' },
          { attribute_name: 'unknown', attribute_value: '{{ cmk_password("gone") }}' },
        ]),
      ],
    };
    const { known, unknown } = variables(rules, {}, { passwordIds: new Map([['snmp', 'a'.repeat(24)]]) });
    expect([known, unknown]).toEqual([`cmdbsyncer_${'a'.repeat(24)}`, 'cmdbsyncer_missing_gone']);
  });
});
