import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PluginRegistry } from '../../../src/app/kernel/plugin-host/registry.ts';
import { documentProblems } from '../../../src/app/rules/engine/document-problems.ts';
import { listWarnings } from '../../../src/app/rules/transfer/list-warnings.ts';
import { withCell } from '../../../src/kit/document/pasted-cell.ts';
import { readPastedList } from '../../../src/kit/document/pasted-list.ts';
import automationPlaybookFire from '../../../src/plugins/automation-playbook-fire/index.ts';
import type { JsonObject, JsonValue } from '../../../src/ports/json.ts';
import { EVALUATED, hostRecord, program, rule, ruleTypesOf } from './support.ts';

const [fireType] = ruleTypesOf([automationPlaybookFire]);
const customvars = EVALUATED.find(({ id }) => id === 'automation_customvars')!;

function listRule(list_source: string, outcomes: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return rule(outcomes, { rule_source: 'list', list_source, condition_typ: null, ...more });
}

describe('a pasted list', () => {
  it.each<[string, string, string[], Record<string, string>[]]>([
    [
      'semicolons',
      'Hostname;Service Level\nsrv1;gold\nsrv2; silver ',
      ['hostname', 'service_level'],
      [
        { hostname: 'srv1', service_level: 'gold' },
        { hostname: 'srv2', service_level: 'silver' },
      ],
    ],
    ['tabs win over commas', 'a\tb, c\n1\t2,3', ['a', 'b_c'], [{ a: '1', b_c: '2,3' }]],
    [
      'quotes, breaks and blank lines',
      'a,b\r\n"x, ""y""\nz",1\r\n\r\n ,\r\n2',
      ['a', 'b'],
      [
        { a: 'x, "y"\nz', b: '1' },
        { a: '2', b: '' },
      ],
    ],
    ['a digit first, a column without a name', '2nd Team||c\n1|2|3', ['_2nd_team', 'c'], [{ _2nd_team: '1', c: '3' }]],
    ['one column', 'name\na b', ['name'], [{ name: 'a b' }]],
  ])('is read: %s', (_what, text, columns, rows) => {
    const read = readPastedList(text);
    expect(read).toMatchObject({ columns, problems: [] });
    expect(read.rows.map(({ cells }) => cells)).toEqual(rows);
  });

  it.each([
    ['', 'is empty'],
    [' \n ', 'is empty'],
    ['a;A\n1;2', 'column 2: there are two columns with the name a'],
    ['a;###\n1;2', 'column 2 ("###") gives no name of a variable'],
    [';\n1;2', 'names no columns in its first line'],
    ['a;b\n1;2;3', 'line 2: cell 3 ("3") has no column; the first line names 2'],
    [`a\n${'x\n'.repeat(10_001)}`, 'has 10001 rows, and at most 10000 are possible'],
  ])('is refused: %#', (text, problem) => {
    expect(readPastedList(text).problems).toEqual([expect.stringContaining(problem)]);
    expect(documentProblems(listRule(text, []), customvars, new PluginRegistry())).toEqual([
      { path: 'list_source', message: expect.stringContaining(problem), inText: true },
    ]);
  });

  it('is read as it was written, whatever the cells hold', () => {
    const cell = fc.stringMatching(/^[a-z;,|"\n ]{0,8}$/).map((text) => text.trim());
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 8 }), (cells) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const text = ['a;b', ...cells.map((row) => row.map(quoted).join(';'))].join('\n');
        const wanted = cells.filter((row) => row.some((part) => part !== '')).map(([a, b]) => ({ a, b }));
        expect(readPastedList(text).rows.map((row) => row.cells)).toEqual(wanted);
      }),
    );
  });
});

describe('a cell of a pasted list', () => {
  it.each<[string, string, number, string, string, string]>([
    ['in its place', 'a;b\n1;2\n3;4', 2, 'b', 'x', 'a;b\n1;x\n3;4'],
    ['quoted where it must be', 'a;b\n1;2', 2, 'a', 'x;"y"', 'a;b\n"x;""y""";2'],
    ['in a short row', 'a;b;c\n1\n2', 2, 'c', 'x', 'a;b;c\n1;;x\n2'],
    ['with Windows line breaks', 'a;Big B\r\n1;"2"\r\n3;4\r\n', 2, 'big_b', 'x', 'a;Big B\r\n1;x\r\n3;4'],
    ['of a row that is no more', 'a\n1', 9, 'a', 'x', 'a\n1'],
  ])('is changed %s', (_what, text, line, column, value, changed) => {
    expect(withCell(text, line, column, value)).toBe(changed);
  });

  it('is read as it was typed, and no other one changes', () => {
    const cell = fc.stringMatching(/^[a-z;,|"\n ]{0,6}$/).map((text) => text.trim());
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,3}$/), cell), { minLength: 1, maxLength: 5 }),
        fc.nat(),
        cell,
        (cells, at, value) => {
          const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
          const text = ['a;b', ...cells.map((row) => row.map(quoted).join(';'))].join('\n');
          const before = readPastedList(text).rows;
          const row = at % before.length;
          const after = readPastedList(withCell(text, before[row]!.line, 'b', value)).rows.map(({ cells }) => cells);
          expect(after).toEqual(
            before.map((each, index) => (index === row ? { ...each.cells, b: value } : each.cells)),
          );
        },
      ),
    );
  });
});

describe('what of a list has no effect', () => {
  it('is told: variables that are no columns, and rows that name no host', () => {
    const document = listRule('hostname;level\na;1\n;2\n;3', [
      {
        attribute_name: 'x',
        attribute_value: '{{ level }} {{ HOSTNAME }} {{ row_idx }} {{ row.level }} {{ 1 | hash }}',
      },
      { attribute_name: 'y', attribute_value: '{% for c in row %}{{ c }}{{ site }}{% endfor %}' },
      { attribute_name: 'z', attribute_value: '{{ elsewhere }}', expression: true },
    ]);
    expect(listWarnings(document, customvars, new PluginRegistry())).toEqual([
      {
        path: 'outcomes.1',
        message:
          'reads site, which is not a column of the list, so that the text is empty unless it has a default; columns: hostname, level',
      },
      { path: 'list_source', message: '2 rows have no hostname and no name, and so no effect: lines 3, 4' },
    ]);
    const firing = listRule('level\n1', [{ playbook: 'x.yml', extra_vars: '{"a": "{{ nope }}"}' }]);
    expect(listWarnings(firing, fireType!, new PluginRegistry())).toEqual([
      { path: 'outcomes.0', message: expect.stringMatching(/^reads nope, /) },
      { path: 'list_source', message: '1 row has no hostname and no name, and so no effect: line 2' },
    ]);
    expect(listWarnings({ ...document, rule_source: 'hosts' }, customvars, new PluginRegistry())).toEqual([]);
    expect(listWarnings({ ...document, list_source: '' }, customvars, new PluginRegistry())).toEqual([]);
  });
});

describe('a rule over a pasted list', () => {
  const host = hostRecord({ labels: { os: 'Linux' }, accountId: null });

  it('adds a host for every row, and does nothing to stored hosts', () => {
    const compiled = program({
      automation_filter: [rule([{ action: 'whitelist_attribute', attribute_name: 'os' }])],
      automation_customvars: [
        listRule('hostname;level;ansible_host\nb2;gold;10.0.0.2\na1;silver;10.0.0.1\n;lost;', [
          { attribute_name: 'text', attribute_value: '{{ HOSTNAME }} {{ level|upper }} {{ row_idx }} {{ row.level }}' },
          { attribute_name: 'monitored', attribute_value: 'true' },
          { attribute_name: 'ansible_groups', attribute_value: 'level_{{ level }}' },
        ]),
        rule([{ attribute_name: 'everywhere', attribute_value: '1' }]),
      ],
    });
    expect(compiled.evaluate(host).variables.value).toEqual({ os: 'Linux', everywhere: '1' });
    expect(compiled.rowNames).toEqual(['a1', 'b2']);
    expect(compiled.evaluateRow('b2')).toMatchObject({
      hostname: 'b2',
      included: true,
      groups: ['level_gold'],
      vouched: ['ansible_host'],
    });
    expect(compiled.evaluateRow('b2')?.variables.value).toEqual({
      hostname: 'b2',
      level: 'gold',
      ansible_host: '10.0.0.2',
      text: 'b2 GOLD 0 gold',
      monitored: true,
      ansible_groups: 'level_gold',
    });
    expect(compiled.evaluateRow('web01.example.org')).toBeUndefined();
    expect(compiled.errors()).toMatchObject([
      { lastError: 'line 4 of the list has no hostname and no name, so it makes nothing' },
    ]);
  });

  it('is one without a choice when it has a list, and none when it looks at hosts', () => {
    const outcomes = [{ attribute_name: 'x', attribute_value: '1' }];
    const list_source = 'name\nrow';
    const names = (more: JsonObject) =>
      program({ automation_customvars: [rule(outcomes, { list_source, ...more })] }).rowNames;
    expect(names({})).toEqual(['row']);
    expect(names({ rule_source: '' })).toEqual(['row']);
    expect(names({ rule_source: 'hosts' })).toEqual([]);
    expect(
      documentProblems(rule(outcomes, { rule_source: 'elsewhere' }), customvars, new PluginRegistry()),
    ).toMatchObject([{ path: 'rule_source' }]);
  });

  it('explains a row by its columns and its own rule, and serves what it explains', () => {
    const rows = (list_source: string, sort_field: number, id: string) =>
      listRule(list_source, [{ attribute_name: 'level', attribute_value: '{{ level }}!' }], {
        sort_field,
        name: id,
        _id: { $oid: id.repeat(24) },
      });
    const compiled = program({
      automation_filter: [rule([{ action: 'ignore_hosts' }])],
      automation_customvars: [rows('hostname;level\na;1', 1, 'a'), rows('name;level;up\nb;2;true\na;3;', 2, 'b')],
    });
    const explained = compiled.explainRow('a');
    const row = { type: 'automation_customvars', id: 'b'.repeat(24), name: 'b', line: 3 };
    expect(explained).toMatchObject({
      included: true,
      row: { ...row, columns: { name: 'a', level: '3', up: '' } },
      rules: [
        { name: 'a', line: 2, outcome: 'stopped' },
        { name: 'b', line: 3, outcome: 'hit', changes: [{ what: 'variable', name: 'level', after: '3!' }] },
      ],
      variables: [{ name: 'level', value: '3!', origin: { kind: 'rule', name: 'b' } }],
    });
    expect(explained?.attributes).toMatchObject([
      { name: 'name', value: 'a', shown: true, origin: { kind: 'row', ...row } },
      { name: 'level', value: '3', replaced: true },
      { name: 'up', value: '' },
    ]);
    for (const name of ['a', 'b']) {
      expect(compiled.explainRow(name)?.result).toEqual(compiled.evaluateRow(name)?.variables.value);
    }
    expect(compiled.explainRow('nobody')).toBeUndefined();
    expect(compiled.errors()).toEqual([]);
    expect(compiled.tryRows('automation_customvars', 'a'.repeat(24), 5)).toMatchObject({
      total: 1,
      rows: [{ line: 2, hostname: 'a', isReplaced: true }],
    });
  });

  it('explains on a stored host the playbooks that a list wants for it, and the rest as ever', () => {
    const list = listRule('hostname;level\nweb01.example.org;gold', [
      { playbook: 'x.yml', extra_vars: '{"l": "{{ level }}"}' },
    ]);
    const others = { automation_filter: [rule([{ action: 'whitelist_attribute', attribute_name: 'os' }])] };
    const types = [...EVALUATED, fireType!];
    const { rules, ...rest } = program({ ...others, automation_playbook_fire: [list] }, { types }).explain(host);
    const plain = program(others, { types }).explain(host);
    expect(rest.attributes).toEqual(plain.attributes);
    expect(rest.result).toEqual(plain.result);
    expect(rules.at(-1)).toMatchObject({ line: 2, outcome: 'hit', changes: [{ what: 'playbook', name: 'x.yml' }] });
  });

  it('is data that vouches for nothing while nobody confirmed it', () => {
    const document = listRule('hostname;ansible_ssh_common_args\na1;-oProxyCommand=x', []);
    const compiled = program({ automation_customvars: [document] }, { unconfirmed: new Set([document]) });
    expect(compiled.evaluateRow('a1')?.vouched).toEqual([]);
    expect(compiled.waiting).toEqual([{ type: 'automation_customvars', name: document.name }]);
  });

  it('leaves a row out that gets the variable ignore_host', () => {
    const outcomes = [{ attribute_name: 'ignore_host', attribute_value: '1' }];
    expect(program({ automation_customvars: [listRule('name\na', outcomes)] }).evaluateRow('a')?.included).toBe(false);
  });

  it('makes of the rows what a naive reading of the page makes', () => {
    const word = fc.stringMatching(/^[a-c]{1,2}$/);
    const list = fc.array(fc.record({ hostname: word, level: word }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(list, { minLength: 1, maxLength: 3 }), (lists) => {
        const documents = lists.map((rows, index) =>
          listRule(
            ['hostname;level', ...rows.map(({ hostname, level }) => `${hostname};${level}`)].join('\n'),
            [{ attribute_name: 'out', attribute_value: '{{ level }}-{{ row_idx }}' }],
            { sort_field: index },
          ),
        );
        const naive: Record<string, JsonValue> = {};
        for (const rows of lists) {
          rows.forEach(({ hostname, level }, index) => {
            naive[hostname] = { hostname, level, out: `${level}-${index}` };
          });
        }
        const compiled = program({ automation_customvars: documents });
        expect(compiled.rowNames).toEqual(Object.keys(naive).sort());
        for (const name of compiled.rowNames) expect(compiled.evaluateRow(name)?.variables.value).toEqual(naive[name]);
      }),
    );
  });

  it('fires playbooks for the hosts that its rows name', () => {
    const outcomes = [{ playbook: 'x.yml', extra_vars: '{"level": "{{ level }}"}' }];
    const more = { types: [...EVALUATED, fireType!] };
    const document = listRule('hostname;level\nweb01.example.org;gold\nother;silver', outcomes, {
      _id: { $oid: 'f'.repeat(24) },
    });
    const compiled = program({ automation_playbook_fire: [document] }, more);
    expect(compiled.playbookRules).toEqual(['f'.repeat(24)]);
    expect(compiled.playbooks(host).hits).toMatchObject([
      { ruleId: 'f'.repeat(24), wishes: [{ playbook: 'x.yml', extraVariables: { level: 'gold' } }] },
    ]);
    expect(compiled.playbooks({ ...host, hostname: 'nobody' }).hits).toEqual([]);
  });
});
