import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANSWER_CHARACTERS, cutJson } from '../../../src/adapters/mcp/answer-limit.ts';
import { saveHostsBulk } from '../../../src/app/hosts/operations/save-hosts-bulk.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { ToolService } from './tool-service.ts';

let service: ToolService;
beforeEach(async () => {
  service = await ToolService.start();
});
afterEach(() => service.stop());

const text = (length: number) => 'x'.repeat(length);
/** What `truncated` itself may add. */
const SLACK = 1_000;

async function saveHost(hostname: string, sections: Record<string, number>): Promise<void> {
  await service.call('upsert_host', { hostname, account: 'crm', labels: { a: 1 } });
  for (const [key, length] of Object.entries(sections)) {
    await service.call('update_host_inventory', { hostname, key, inventory: { value: text(length) } });
  }
}

async function importAttributes(count: number, length: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `rule ${String(index).padStart(3, '0')}`);
  const rules = names.map((name) => ({
    name,
    enabled: true,
    documentation: `"{[ ${text(length)} \\ ]}"`,
    condition_typ: 'anyway',
  }));
  await service.operate(importRules, { rules: { custom_attributes: rules } });
  return names;
}

describe('a listing of hosts that is too long', () => {
  it('is cut behind a host, says so, and goes on from there', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await saveHost(name, { facts: 30_000 });
    const seen: string[] = [];
    let start: number | undefined = 0;
    let calls = 0;
    while (start !== undefined) {
      const { value } = await service.call('list_hosts', { start });
      expect(JSON.stringify(value).length).toBeLessThan(ANSWER_CHARACTERS + SLACK);
      seen.push(...value.results.map((host: { hostname: string }) => host.hostname));
      start = value.truncated?.next_start;
      if (start !== undefined) expect(value.truncated.note).toContain(`start=${start}`);
      expect(value.size).toBe(5);
      calls++;
    }
    expect(seen).toEqual(names);
    expect(calls).toBe(2);
    const short = await service.call('list_hosts', { fields: ['labels'] });
    expect(short.value.results).toHaveLength(5);
    expect(short.value.truncated).toBeUndefined();
  });

  it('shows of a host that fills it alone what fits, and goes on behind it', async () => {
    await saveHost('a', { small: 10, big: 120_000 });
    await saveHost('b', {});
    const { value } = await service.call('list_hosts');
    expect(value.results).toHaveLength(1);
    expect(Object.keys(value.results[0].inventory)).toEqual(['small']);
    expect(value.truncated).toMatchObject({ next_start: 1, left_out: ['inventory.big'] });
  });
});

describe('a host that is too long', () => {
  it('lacks its largest sections, names them, and gives them one by one', async () => {
    await saveHost('web 1', { big: 60_000, bigger: 70_000, small: 10 });
    const { value } = await service.call('get_host', { hostname: 'web 1' });
    expect(Object.keys(value.inventory)).toEqual(['big', 'small']);
    expect(value.labels).toEqual({ a: 1 });
    expect(value.truncated.left_out).toEqual(['inventory.bigger']);
    expect(value.truncated.note).toContain('service://hosts/web%201');
    const rest = await service.call('get_host', { hostname: 'web 1', fields: value.truncated.left_out });
    expect(rest.value.inventory.bigger.value).toHaveLength(70_000);
    expect(rest.value.truncated).toBeUndefined();
    const client = await service.client();
    const whole = await client.readResource({ uri: 'service://hosts/web%201' });
    expect(JSON.stringify(whole).length).toBeGreaterThan(130_000);
  });
});

describe('rules that are too long', () => {
  it('of one type go on with start', async () => {
    const names = await importAttributes(30, 5_000);
    const seen: string[] = [];
    let start: number | undefined = 0;
    while (start !== undefined) {
      const { value } = await service.call('export_rules', { rule_type: 'custom_attributes', start });
      expect(JSON.stringify(value).length).toBeLessThan(ANSWER_CHARACTERS + SLACK);
      seen.push(...value.rules.map((rule: { name: string }) => rule.name));
      start = value.truncated?.next_start;
    }
    expect(seen).toEqual(names);
  });

  it('do not end at one that fills an answer by itself', async () => {
    await importAttributes(2, 110_000);
    const { isError, value } = await service.call('export_rules', { rule_type: 'custom_attributes' });
    expect([isError, value.code]).toEqual([true, 'too_large']);
    expect(value.message).toContain('start=1');
  });

  it('of all types are complete lists of the first types', async () => {
    await importAttributes(30, 5_000);
    const { value } = await service.call('export_all_rules', { include_accounts: true });
    expect(value.rules.accounts).toHaveLength(1);
    expect(value.rules).not.toHaveProperty('custom_attributes');
    expect(value.truncated.note).toContain('export_rules');
  });
});

/** Characters of an answer as a client takes it. */
async function answered(tool: string, given: object) {
  const { isError, value } = await service.call(tool, given);
  expect([tool, isError, value.message]).toEqual([tool, false, undefined]);
  return { value, characters: JSON.stringify(value).length };
}

describe('an explanation that is too long', () => {
  it('has every attribute with a part of its value, says what it lacks, and gives few of them whole', async () => {
    const labels = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`label${index}`, text(20_000)]));
    await service.call('upsert_host', { hostname: 'a', account: 'crm', labels });
    await service.call('update_host_inventory', {
      hostname: 'a',
      key: 'facts',
      inventory: { big: text(2_000_000), small: 1 },
    });
    const { value, characters } = await answered('explain_host', { hostname: 'a' });
    expect(characters).toBeLessThan(ANSWER_CHARACTERS + SLACK);
    expect(characters).toBeGreaterThan(ANSWER_CHARACTERS / 2);
    const names = value.explanation.attributes.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining([...Object.keys(labels), 'facts__big', 'facts__small']));
    for (const { origin } of value.explanation.attributes) expect(Object.keys(origin)).toContain('kind');
    expect(value.explanation.result.facts__small).toBe(1);
    expect(value.truncated.note).toContain('attributes');
    expect(value.truncated.left_out).toContain('explanation.attributes[1].value');
    const few = await answered('explain_host', { hostname: 'a', attributes: ['label3'] });
    expect(few.value.explanation.result).toEqual({ label3: text(20_000) });
    const one = await answered('explain_host', { hostname: 'a', attributes: ['facts__big'] });
    expect(one.characters).toBeLessThan(ANSWER_CHARACTERS + SLACK);
    expect(one.value.truncated.left_out).toContain('explanation.result.facts__big');
  });

  it('ends where rules are too many', async () => {
    await saveHost('a', {});
    await importAttributes(1_000, 10);
    const { value, characters } = await answered('explain_host', { hostname: 'a' });
    expect(characters).toBeLessThan(ANSWER_CHARACTERS + SLACK);
    expect(value.truncated.left_out[0]).toMatch(/^explanation\.rules: the last \d+ of 1000$/);
  });
});

describe('other answers that are too long', () => {
  it('are cut by what is large in them, and say so', async () => {
    await saveHost('a', { facts: 10 });
    const rules = Array.from({ length: 2_000 }, (_, index) => ({ name: `broken ${index}`, condition_typ: 'nonsense' }));
    const imported = await answered('import_rules_bulk', { payload: { rules: { custom_attributes: rules } } });
    expect(imported.characters).toBeLessThan(ANSWER_CHARACTERS + SLACK);
    expect(imported.value.truncated.left_out).toEqual([expect.stringMatching(/^details: the last \d+ of/)]);
    const documents = Array.from({ length: 1_200 }, (_, index) => ({ name: `${text(80)}${index}`, type: 'api' }));
    await service.operate(importRules, { rules: { accounts: documents } });
    const accounts = await answered('list_accounts', {});
    expect(accounts.characters).toBeLessThan(ANSWER_CHARACTERS + SLACK);
    expect(accounts.value.truncated.note).toContain('REST');
  });

  it('of one time compared with another too', async () => {
    const objects = Array.from({ length: 1_000 }, (_, index) => ({ hostname: `${text(60)}${index}`, labels: {} }));
    await service.operate(saveHostsBulk, { account: 'crm', objects });
    const { value, characters } = await answered('compare_inventory_times', { since: '2026-02-01', limit: 10_000 });
    expect(characters).toBeLessThan(ANSWER_CHARACTERS + SLACK);
    expect(value).toMatchObject({ added: 1_000, truncated: { note: expect.stringContaining('fewer hosts') } });
    expect(value.truncated.left_out).toEqual([expect.stringMatching(/^details: the last \d+ of 1000$/)]);
  });
});

describe('logs that are too long', () => {
  it('go on with start', async () => {
    for (let index = 0; index < 5; index++) {
      await service.storage.logs.append({
        id: String(index).repeat(24),
        at: new Date(Date.UTC(2026, 0, 1, 0, 0, index)),
        message: `entry ${index}`,
        source: 'test',
        details: [{ level: 'info', message: text(index === 2 ? 120_000 : 30_000) }],
        hasError: false,
      });
    }
    const seen: string[] = [];
    let start: number | undefined = 0;
    while (start !== undefined) {
      const { value } = await service.call('get_recent_logs', { start });
      seen.push(...value.logs.map((entry: { message: string }) => entry.message));
      start = value.truncated?.next_start;
    }
    expect(seen).toEqual(['entry 4', 'entry 3', 'entry 2', 'entry 1', 'entry 0']);
  });
});

describe('cutJson', () => {
  const document = '{"at":"}]","rules":{"a":[{"x":"[{\\"}"},{}],"b":[],"c":[{"y":{"z":[1]}}]}}';

  it('gives a document at every length, with no more than was there', () => {
    const whole = JSON.parse(document);
    const sizes = new Set<number>();
    for (let length = 20; length <= document.length; length++) {
      const cut = cutJson(document.slice(0, length), 2);
      const rules = JSON.parse(cut?.text ?? '').rules;
      expect(Object.keys(rules)).toHaveLength(cut?.items ?? -1);
      sizes.add(Object.keys(rules).length);
      for (const [name, list] of Object.entries(rules)) expect(list).toEqual(whole.rules[name]);
    }
    expect([...sizes]).toEqual([0, 1, 2, 3]);
  });

  it('has nothing to give before the container begins', () => {
    expect(cutJson(document.slice(0, 18), 2)).toBeUndefined();
  });
});
