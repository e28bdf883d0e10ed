import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followChanges } from '../../src/app/change-feed/operations/follow-changes.ts';
import { getHost } from '../../src/app/hosts/operations/get-host.ts';
import { hostHistory } from '../../src/app/hosts/operations/host-history.ts';
import { listHosts } from '../../src/app/hosts/operations/list-hosts.ts';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { saveInventory } from '../../src/app/hosts/operations/save-inventory.ts';
import { localOperator } from '../../src/app/kernel/caller.ts';
import type { OperationContext, StreamOperation } from '../../src/app/kernel/operation.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { listRules } from '../../src/app/rules/operations/list-rules.ts';
import { ruleHistory } from '../../src/app/rules/operations/rule-history.ts';
import { countHosts } from '../../src/app/search/operations/count-hosts.ts';
import { findAttributeUses } from '../../src/app/search/operations/find-attribute-uses.ts';
import { hostTable } from '../../src/app/search/operations/host-table.ts';
import { listChanges } from '../../src/app/search/operations/list-changes.ts';
import { purgeHosts } from '../../src/app/search/operations/purge-hosts.ts';
import { searchHosts } from '../../src/app/search/operations/search-hosts.ts';
import { documentsOf } from '../../src/plugins/yaml/documents.ts';
import { PAGE_CHARACTERS } from '../../src/ports/index.ts';
import { type HttpService, startHttpService } from '../adapters/http/http-service.ts';

const OPERATOR = localOperator({ name: 'operator', path: 'test', requestId: 'test' });
const SECTION = 1_500_000;
const HOSTS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

let service: HttpService;
beforeEach(async () => {
  service = await startHttpService({ config: { INSTANCE_KEY: '22'.repeat(32) } });
});
afterEach(() => service.stop());

async function save(hostname: string, labels = {}): Promise<void> {
  await service.executor.value(saveHost, { kind: 'value', value: { hostname, account: 'crm', labels } }, OPERATOR);
}

async function saveFacts(hostname: string, characters: number, sign = 'x'): Promise<void> {
  const value = { hostname, key: 'facts', inventory: { text: sign.repeat(characters) } };
  await service.executor.value(saveInventory, { kind: 'value', value }, OPERATOR);
}

async function largeHosts(): Promise<void> {
  for (const name of HOSTS) await save(name);
  for (const name of HOSTS) await saveFacts(name, SECTION);
}

describe('a page of large hosts', () => {
  it('is read and sent host by host, and is whole', async () => {
    await largeHosts();
    const { body } = await service.executor.stream(
      listHosts as StreamOperation,
      { kind: 'value', value: { start: 0, limit: 100 } },
      OPERATOR,
    );
    let text = '';
    let largest = 0;
    for await (const piece of body) {
      largest = Math.max(largest, piece.length);
      text += piece as string;
    }
    expect(JSON.parse(text).results.map(({ hostname }: { hostname: string }) => hostname)).toEqual(HOSTS);
    expect(largest).toBeLessThan(SECTION + PAGE_CHARACTERS);
  });

  it('goes on from another thread where it was broken off, as one document', async () => {
    await largeHosts();
    const asked: unknown[] = [];
    const { services } = service;
    const context = {
      services,
      caller: OPERATOR,
      signal: new AbortController().signal,
      progress: () => undefined,
      holds: () => undefined,
    } as unknown as OperationContext<never>;
    const read = async (input: unknown, continued?: OperationContext['continued']): Promise<string> => {
      const given = listHosts.input.parse(input);
      const answer = await listHosts.run(given, { ...context, ...(continued && { continued }) });
      let text = '';
      for await (const piece of answer.body) text += piece as string;
      return text;
    };
    const whole = await read({ start: 0, limit: 6 });
    const parts = await read({ start: 0, limit: 6 }, async (rest) => {
      asked.push(rest);
      const text = await read(rest);
      return { mediaType: 'application/json', unchanged: false, body: piecesOf(text) };
    });
    expect(asked).toHaveLength(1);
    expect(parts).toBe(whole);
  });
});

async function* piecesOf(text: string): AsyncGenerator<string> {
  yield text;
}

describe('changes of large hosts', () => {
  it('end a page early, and the next one goes on', async () => {
    for (const name of HOSTS) await save(name);
    for (const sign of ['x', 'y']) for (const name of HOSTS) await saveFacts(name, SECTION, sign);
    const seen: string[] = [];
    let before: string | undefined;
    let pages = 0;
    do {
      const { changes, next } = await service.executor.value(
        listChanges,
        { kind: 'value', value: { limit: 200, ...(before !== undefined && { before }) } },
        OPERATOR,
      );
      expect(JSON.stringify(changes).length).toBeLessThan(12 * 1024 * 1024);
      seen.push(...changes.map(({ hostname, changes: [change] }) => `${hostname} ${String(change?.after).length}`));
      before = next ?? undefined;
      pages++;
    } while (before !== undefined);
    expect(pages).toBeGreaterThan(1);
    expect(new Set(seen).size).toBe(HOSTS.length);
    expect(seen).toHaveLength(2 * HOSTS.length);
  });

  it('have a history that ends early, and changes go on behind it', async () => {
    await service.stop();
    let ticks = 0;
    service = await startHttpService({
      config: { INSTANCE_KEY: '22'.repeat(32) },
      clock: { now: () => new Date(Date.UTC(2026, 2, 1) + 1_000 * ticks++) },
    });
    await save('a');
    await save('b');
    const sizes = [1, 2, 3, 4, 5].map((n) => SECTION + n);
    for (const size of sizes) for (const name of ['a', 'b']) await saveFacts(name, size);
    const ask = { hostname: 'a', limit: 100 };
    const { changes, next } = await service.executor.value(hostHistory, { kind: 'value', value: ask }, OPERATOR);
    expect(changes.length).toBeLessThan(sizes.length);
    const older: string[] = [];
    for (let before = next; before !== null; ) {
      const value = { where: 'name="a"', before };
      const page = await service.executor.value(listChanges, { kind: 'value', value }, OPERATOR);
      older.push(...page.changes.map(({ changes: values }) => JSON.stringify(values)));
      before = page.next;
    }
    const newest = changes.map(({ changes: values }) => JSON.stringify(values));
    expect(new Set([...newest, ...older]).size).toBe(sizes.length);
    expect(older.filter((one) => newest.includes(one)).length).toBeLessThanOrEqual(1);
    const small = await service.executor.value(
      hostHistory,
      { kind: 'value', value: { hostname: 'b', limit: 1 } },
      OPERATOR,
    );
    expect(small.next).toMatch(/^\d+:b$/);
  });

  it('are told without values to those who take less than one of them', async () => {
    await save('a');
    await saveFacts('a', 200_000);
    const { changes } = await service.executor.value(listChanges, { kind: 'value', value: {} }, OPERATOR, {
      answerCharacters: 100_000,
    });
    expect(changes[0]?.changes).toEqual([{ path: 'inventory.facts' }]);
  });

  it('say how large they are before anybody takes them apart', async () => {
    await save('a');
    await saveFacts('a', 200_000);
    const [change] = await service.storage.history.ofHost('a', 1);
    expect(change?.characters).toBeGreaterThan(200_000);
    const held: number[] = [];
    const context = { services: service.services, caller: OPERATOR, holds: (size: number) => held.push(size) };
    await hostHistory.run({ hostname: 'a', limit: 1 }, context as never);
    expect(held[0]).toBeGreaterThan(200_000);
  });
});

describe('changes that are followed', () => {
  it('are answered as text, and told by their size before anybody takes them apart', async () => {
    await save('a');
    await saveFacts('a', 200_000);
    const input = { kind: 'value', value: {} } as const;
    const value = await service.executor.value(followChanges, input, OPERATOR);
    expect(value.changes.map(({ kind }) => kind)).toEqual(['created', 'inventory']);
    expect(JSON.parse((await service.executor.json(followChanges, input, OPERATOR)) as string)).toEqual(value);
    const held: number[] = [];
    const { signal } = new AbortController();
    const context = { services: service.services, caller: OPERATOR, signal, holds: (size: number) => held.push(size) };
    await followChanges.run({ since: 'start', limit: 100 }, context as never);
    expect(held[0]).toBeGreaterThan(200_000);
  });
});

describe('rules in any number and of any size', () => {
  const often = async (times: number, characters: number): Promise<void> => {
    for (let n = 0; n < times; n++) {
      const rule = { name: 'often', enabled: false, condition_typ: 'all', documentation: `${n}`.repeat(characters) };
      const value = { rules: { custom_attributes: [rule] }, override: true };
      await service.executor.value(importRules, { kind: 'value', value }, OPERATOR);
    }
  };
  const history = (limit: number) =>
    service.executor.value(
      ruleHistory,
      { kind: 'value', value: { rule_type: 'custom_attributes', rule: 'often', limit } },
      OPERATOR,
    );

  it('have a history that ends where it is too much for one answer, and says so', async () => {
    await often(5, 3_000_000);
    const { versions, more } = await history(100);
    expect(versions.map(({ version }) => version)).toEqual([5, 4]);
    expect(more).toBe(true);
  });

  it('have a whole history where that is small', async () => {
    await often(3, 10);
    expect(await history(100)).toMatchObject({
      more: false,
      versions: [{ version: 3 }, { version: 2 }, { version: 1 }],
    });
    expect(await history(2)).toMatchObject({ more: true, versions: [{ version: 3 }, { version: 2 }] });
  });

  it('are read on threads', () => {
    const reads = [ruleHistory, listRules, findAttributeUses];
    expect(reads.map(({ weight }) => weight)).toEqual(reads.map(() => 'heavy'));
  });
});

describe('a host for those who take less than it is', () => {
  it('comes without its largest parts', async () => {
    await save('a', { site: 'fra' });
    await saveFacts('a', 200_000);
    const options = { answerCharacters: 100_000 };
    const host = await service.executor.value(getHost, { kind: 'value', value: { hostname: 'a' } }, OPERATOR, options);
    expect(host).toMatchObject({ labels: { site: 'fra' }, left_out: ['inventory.facts'] });
    const found = await service.executor.value(searchHosts, { kind: 'value', value: {} }, OPERATOR, options);
    expect(JSON.stringify(found).length).toBeLessThan(100_000);
  });
});

describe('one long text', () => {
  const PATTERN = `note~/${'(a|b|c|d)?'.repeat(20)}z/`;

  it('is left out of a search with a large pattern, and named', async () => {
    await save('short', { note: 'abcdz' });
    await save('long', { note: 'a'.repeat(400_000) });
    const ask = (where: string) => service.executor.value(searchHosts, { kind: 'value', value: { where } }, OPERATOR);
    const found = await ask(PATTERN);
    expect(found.hosts.map(({ hostname }) => hostname)).toEqual(['short']);
    expect(found.left_out).toEqual(['long']);
    const counted = await service.executor.value(countHosts, { kind: 'value', value: { where: PATTERN } }, OPERATOR);
    expect(counted).toMatchObject({ size: 1, left_out: ['long'] });
    expect((await ask('note:abcdz')).left_out).toBeUndefined();
    for (const name of ['short', 'long']) await saveFacts(name, 10);
    const changed = await service.executor.value(listChanges, { kind: 'value', value: { where: PATTERN } }, OPERATOR);
    expect(changed.left_out).toEqual(['long']);
    const value = { where: PATTERN, include_active: true };
    const purged = await service.executor.value(purgeHosts, { kind: 'value', value }, OPERATOR);
    expect(purged).toMatchObject({ status: 'purged', hostnames: ['short'], left_out: ['long'] });
    expect(await service.storage.hosts.find('long')).toBeDefined();
  });
});

describe('hosts in the order of a field', () => {
  it('stand by the beginnings of long texts, and a page goes on from each of them', async () => {
    await save('short', { note: 'a' });
    for (const name of ['long2', 'long1']) await save(name, { note: `b${'x'.repeat(100_000)}${name}` });
    const seen: string[] = [];
    for (let after: string | undefined; ; ) {
      const value = { where: '', sort: 'note', limit: 1, ...(after !== undefined && { after }) };
      const { hosts, next } = await service.executor.value(searchHosts, { kind: 'value', value }, OPERATOR);
      seen.push(...hosts.map(({ hostname }) => hostname));
      if (next === null) break;
      expect(next.length).toBeLessThan(2_000);
      after = next;
    }
    expect(seen).toEqual(['short', 'long1', 'long2']);
  });

  it('are read a few at a time for a table', async () => {
    await largeHosts();
    const read: number[] = [];
    const { hosts } = service.storage;
    const findEach = hosts.findEach.bind(hosts);
    vi.spyOn(hosts, 'findEach').mockImplementation((names) => {
      read.push(names.length);
      return findEach(names);
    });
    const value = { where: '', sort: '-name', columns: ['name', 'facts.text'], format: 'json' as const };
    const { body } = await service.executor.stream(hostTable as StreamOperation, { kind: 'value', value }, OPERATOR);
    let text = '';
    for await (const piece of body) text += piece as string;
    expect(JSON.parse(text).map(({ name }: { name: string }) => name)).toEqual([...HOSTS].reverse());
    expect(Math.max(...read)).toBeLessThan(20);
    expect(read.reduce((sum, names) => sum + names, 0)).toBe(HOSTS.length);
  });
});

describe('a document whose texts together cost too much', () => {
  const rule = (members: object) => ({ name: 'r', enabled: true, condition_typ: 'all', ...members });
  const imported = async (type: string, document: object) => {
    const value = { rules: { [type]: [document] } };
    const { details } = await service.executor.value(importRules, { kind: 'value', value }, OPERATOR);
    return details.map(({ message }) => message).join(' ');
  };
  const condition = (value: string) => ({
    match_type: 'tag',
    tag_match: 'equal',
    tag: 'a',
    value_match: 'regex',
    value,
  });

  it('is refused by the parts of its patterns', async () => {
    const conditions = Array.from({ length: 60 }, (_, index) => condition(`(.{1,1000}${index})`));
    expect(await imported('custom_attributes', rule({ conditions }))).toContain('parts together');
    expect(await imported('custom_attributes', rule({ conditions: conditions.slice(0, 5) }))).not.toContain('together');
  });

  it('is refused by the tokens of its templates', async () => {
    const outcomes = [1, 2].map((n) => ({ attribute_name: `v${n}`, attribute_value: `{{ ${'a~'.repeat(6_000)}a }}` }));
    expect(await imported('automation_customvars', rule({ outcomes }))).toContain('tokens together');
  });

  it('is refused by the columns of its list', async () => {
    const list_source = `name,${Array.from({ length: 600 }, (_, index) => `c${index}`).join(',')}\na`;
    const list = rule({ data_source: 'list', list_source, outcomes: [] });
    expect(await imported('automation_customvars', list)).toContain('at most 500');
  });
});

describe('a YAML file', () => {
  const items = (count: number, item: (index: number) => string) => Array.from({ length: count }, (_, at) => item(at));

  it.each([
    ['aliases', `a: &a x\nl:\n${items(30_000, () => '  - *a\n').join('')}`],
    ['keys', `s:\n${items(30_000, (at) => `  k${at}: 1\n`).join('')}`],
    ['members of a set', `s: !!set\n${items(30_000, (at) => `  ? k${at}\n`).join('')}`],
  ])('of many %s is read, each looked at once', (_, text) => {
    expect(documentsOf(text)).toHaveLength(1);
  });

  it('of many keys in ordered maps is refused', () => {
    const text = `s: !!omap\n${items(30_000, (at) => `  - key${at}: 1\n`).join('')}`;
    expect(() => documentsOf(text)).toThrow(/!!omap/);
  });
});

describe('hosts that are called as a fixed path', () => {
  it.each(['all', 'bulk', 'search', 'count', 'by-name'])('are reached behind by-name: %s', async (name) => {
    const at = `/api/v1/objects/by-name/${name}`;
    const ask = (method: 'GET' | 'POST' | 'DELETE', path = '', payload?: object) =>
      service.request({ method, url: `${at}${path}`, ...(payload && { payload }) });
    expect((await ask('POST', '', { account: 'crm', labels: { a: 1 } })).statusCode).toBe(200);
    expect((await ask('POST', '/inventory', { key: 'hw', inventory: { cpu: 1 } })).statusCode).toBe(200);
    const got = await ask('GET');
    expect(got.json()).toMatchObject({ hostname: name, labels: { a: 1 }, inventory: { hw: { cpu: 1 } } });
    expect((await ask('GET', '/history')).statusCode).toBe(200);
    expect((await ask('DELETE')).statusCode).toBe(200);
    expect((await ask('GET')).statusCode).toBe(404);
  });

  it.each(['.', '..'])('are never called %s', async (hostname) => {
    await expect(save(hostname)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
