import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANSWER_CHARACTERS, cutJson } from '../../../src/adapters/mcp/answer-limit.ts';
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
