import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPastedList } from '../../../src/app/rules/document/pasted-list.ts';
import { documentProblems } from '../../../src/app/rules/engine/document-problems.ts';
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
  ])('is refused: %j', (text, problem) => {
    expect(readPastedList(text).problems).toEqual([expect.stringContaining(problem)]);
    expect(documentProblems(listRule(text, []), customvars)).toEqual([
      { path: 'list_source', message: expect.stringContaining(problem) },
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
    expect(documentProblems(rule(outcomes, { rule_source: 'elsewhere' }), customvars)).toMatchObject([
      { path: 'rule_source' },
    ]);
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
