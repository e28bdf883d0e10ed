import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/ports/json.ts';
import { hostRecord, program, rule } from './support.ts';

const SEEN = new Date('2026-03-01T12:00:00.250Z');
const UPDATED = new Date('2026-02-28T06:30:00Z');
const host = { ...hostRecord({ labels: { os: 'Linux' } }), lastSeen: SEEN, lastUpdate: UPDATED };

function evaluated(rules: Record<string, readonly JsonObject[]>) {
  return program(rules, { now: () => new Date('2026-03-02T13:00:00Z') }).evaluate(host).variables.value;
}

describe('what the service knows of the imports of a host', () => {
  const marks = 'syncer_account syncer_last_seen syncer_last_sync'.split(' ').map((name) => `{{ ${name} }}`);

  it('is read by templates, and shown by no inventory unless a filter says so', () => {
    const attribute = rule([{ attribute_name: 'marks', attribute_value: marks.join('|') }]);
    expect(evaluated({ custom_attributes: [attribute] })).toEqual({
      SOURCE_ACCOUNT: 'cmdb',
      os: 'Linux',
      marks: 'cmdb|2026-03-01 12:00:00.250000|2026-02-28 06:30:00',
      HOSTNAME: 'web01.example.org',
    });
    const show = ['syncer_account', 'syncer_last_seen'].map((attribute_name) => ({
      action: 'whitelist_attribute',
      attribute_name,
    }));
    expect(evaluated({ automation_filter: [rule(show)] })).toEqual({
      syncer_account: 'cmdb',
      syncer_last_seen: '2026-03-01 12:00:00.250000',
    });
  });

  it('is a time to templates', () => {
    const text = '{{ (datetime.datetime.utcnow() - syncer_last_seen).days }} {{ syncer_last_sync.year }}';
    const attribute = rule([{ attribute_name: 'age', attribute_value: text }]);
    expect(evaluated({ custom_attributes: [attribute] }).age).toBe('1 2026');
  });

  it('is compared by conditions', () => {
    const condition = (value_match: string, value: string): JsonObject => ({
      match_type: 'tag',
      tag: 'syncer_last_seen',
      tag_match: 'equal',
      value_match,
      value,
    });
    const hit = (conditions: JsonObject[]) =>
      evaluated({
        custom_attributes: [
          rule([{ attribute_name: 'hit', attribute_value: 'x' }], { condition_typ: 'all', conditions }),
        ],
      }).hit === 'x';
    expect(hit([condition('older_than', '1d')])).toBe(true);
    expect(hit([condition('older_than', '26h')])).toBe(false);
    expect(hit([condition('newer_than', '26h')])).toBe(true);
    expect(hit([condition('swith', '2026-03-01')])).toBe(true);
  });

  it('is not there for a host that was never imported, nor for rules that do not name it', () => {
    const attribute = rule([{ attribute_name: 'found', attribute_value: '{{ syncer_last_seen is defined }}' }]);
    const rules = { custom_attributes: [attribute] };
    expect(program(rules).evaluate(hostRecord({})).variables.value.found).toBe(false);
    expect(evaluated({ automation_filter: [rule([{ action: 'whitelist_attribute', attribute_name: 's*' }])] })).toEqual(
      {},
    );
  });

  it('is there only as far as rules name it, so that a filter for all attributes serves no time that moves unseen', () => {
    const rules = (name: string) => ({
      custom_attributes: [rule([{ attribute_name: 'a', attribute_value: `{{ ${name} }}` }])],
      automation_filter: [rule([{ action: 'whitelist_attribute', attribute_name: 's*' }])],
    });
    expect(evaluated(rules('syncer_account'))).toEqual({ syncer_account: 'cmdb' });
    expect(program(rules('syncer_account')).volatile).toBe(false);
    expect(evaluated(rules('syncer_last_sync'))).toEqual({ syncer_last_sync: '2026-02-28 06:30:00' });
    expect(program(rules('syncer_last_seen')).volatile).toBe(true);
  });

  it('moves without any revision where the time a host was seen is read', () => {
    const reading = (name: string) =>
      program({ custom_attributes: [rule([{ attribute_name: 'a', attribute_value: `{{ ${name} }}` }])] });
    expect(reading('syncer_last_seen').volatile).toBe(true);
    expect(reading('syncer_account').volatile).toBe(false);
    expect(reading('os').volatile).toBe(false);
  });

  it('is explained as what the service knows', () => {
    const rules = { custom_attributes: [rule([{ attribute_name: 'a', attribute_value: '{{ syncer_account }}' }])] };
    const { attributes, result } = program(rules).explain(host);
    expect(attributes.find(({ name }) => name === 'syncer_account')).toMatchObject({
      value: 'cmdb',
      origin: { kind: 'imports' },
      shown: false,
    });
    expect(result).not.toHaveProperty('syncer_account');
  });
});

describe('texts that are booleans', () => {
  const labels = { monitored: 'false', upper: 'TRUE', plain: 'truely', list: ['True', 'x'] };
  const inventory = { cmk: { state: { deep: ['FALSE'], word: 'false ' } } };
  const record = hostRecord({ labels, inventory, accountId: null });

  it('are served as booleans, at any depth', () => {
    const compiled = program({});
    const served = {
      monitored: false,
      upper: true,
      plain: 'truely',
      list: [true, 'x'],
      cmk__state: { deep: [false], word: 'false ' },
      HOSTNAME: 'web01.example.org',
    };
    expect(compiled.evaluate(record).variables.value).toEqual(served);
    expect(compiled.explain(record).result).toEqual(served);
  });

  it('stay texts for exports, for rules, in expressions, and where the configuration says so', () => {
    expect(program({}).evaluate(record, 'export').variables.value).toMatchObject(labels);
    expect(program({}, { textBooleans: false }).evaluate(record).variables.value).toMatchObject(labels);
    const variables = [
      { attribute_name: 'written', attribute_value: 'false', expression: true },
      { attribute_name: 'read', attribute_value: '{{ monitored }}!' },
    ];
    const evaluated = program({ automation_customvars: [rule(variables)] }).evaluate(record);
    expect(evaluated.expressions).toEqual({ written: 'false' });
    expect(evaluated.variables.value.read).toBe('false!');
  });
});
