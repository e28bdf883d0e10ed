import { describe, expect, it } from 'vitest';
import { PluginRegistry } from '../../../src/app/kernel/plugin-host/registry.ts';
import { documentProblems } from '../../../src/app/rules/engine/document-problems.ts';
import { customAttributes } from '../../../src/plugins/custom-attributes/rule-type.ts';
import type { JsonObject, JsonValue } from '../../../src/ports/json.ts';
import { hostRecord, program, rule } from './support.ts';

const language = new PluginRegistry();

function row(hostname: string, attribute_name: string, attribute_value: JsonValue): JsonObject {
  return { hostname, attribute_name, attribute_value };
}

function corrections(rows: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  const { condition_typ: _, ...document } = rule([...rows], { name: 'Corrections', rule_source: 'list', ...more });
  return document;
}

const WEB = { hostname: 'web01.example.org', labels: { rack: 'R1', cpus: 4 } };

describe('custom attributes whose outcomes are rows about hosts', () => {
  it('set values of their hosts alone, as they are written, whatever their conditions say', () => {
    const compiled = program({
      custom_attributes: [
        corrections(
          [
            row('web01.example.org', 'rack', '{{ cpus }}'),
            row('web01.example.org', 'cpus', 8),
            row('web01.example.org', 'spare', '{% if %}'),
            row('WEB02', 'spare', 'R9'),
          ],
          { conditions: [{ match_type: 'host', hostname: 'other', hostname_match: 'equal' }] },
        ),
      ],
    });
    expect(compiled.evaluate(hostRecord(WEB)).variables.value).toMatchObject({ cpus: 8 });
    const explained = compiled.explain(hostRecord(WEB));
    const value = (name: string) => explained.attributes.find((attribute) => attribute.name === name)?.value;
    expect([value('rack'), value('spare')]).toEqual(['{{ cpus }}', '{% if %}']);
    expect(explained.rules[0]?.errors).toEqual([]);
    const other = compiled.evaluate(hostRecord({ hostname: 'web02', labels: { rack: 'R1' } }));
    expect(other.variables.value).toMatchObject({ rack: 'R1' });
    expect(other.variables.value).not.toHaveProperty('spare');
  });

  it('are explained by the rows that acted', () => {
    const compiled = program({
      custom_attributes: [
        corrections([row('db01', 'rack', 'R9'), row('web01.example.org', 'rack', 'R12'), row('db01', 'site', 'fra')]),
      ],
    });
    const [hit] = compiled.explain(hostRecord(WEB)).rules;
    expect(hit).toMatchObject({
      outcome: 'hit',
      conditions: [{ text: 'row 2 of its list is about the host', holds: true }],
      changes: [{ what: 'attribute', name: 'rack', before: 'R1', after: 'R12' }],
    });
    const [both] = compiled.explain(hostRecord({ hostname: 'db01' })).rules;
    expect(both?.conditions[0]?.text).toBe('rows 1, 3 of its list are about the host');
    const [missed] = compiled.explain(hostRecord({ hostname: 'web02' })).rules;
    expect(missed).toMatchObject({
      outcome: 'missed',
      conditions: [{ text: 'a row of its list is about the host', holds: false }],
      changes: [],
    });
  });

  it('take 10,000 rows, of which a host costs no more than of ten', () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => row(`host${index}`, 'rack', `R${index}`));
    expect(documentProblems(corrections(rows), customAttributes, language)).toEqual([]);
    expect(documentProblems(corrections([...rows, ...rows]), customAttributes, language)).toMatchObject([
      { path: 'outcomes', message: 'has 20,000 rows, and at most 10,000 are possible' },
    ]);
    const compiled = program({ custom_attributes: [corrections(rows)] });
    const began = performance.now();
    for (let index = 0; index < 10_000; index++) {
      const { variables } = compiled.evaluate(hostRecord({ hostname: `host${index}`, labels: {} }));
      if (index % 1_000 === 0) expect(variables.value).toMatchObject({ rack: `R${index}` });
    }
    // A search through the rows would look at 100 million of them.
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('must name a host each', () => {
    expect(documentProblems(corrections([row('', 'rack', 'R1')]), customAttributes, language)).toMatchObject([
      { path: 'outcomes.0.hostname', message: 'is required' },
    ]);
    expect(documentProblems(corrections([row('a', 'rack', '{{')]), customAttributes, language)).toEqual([]);
    expect(
      documentProblems(rule([row('a', 'rack', '{{')], { rule_source: 'hosts' }), customAttributes, language),
    ).toMatchObject([{ path: 'outcomes.0.attribute_value' }]);
  });
});
