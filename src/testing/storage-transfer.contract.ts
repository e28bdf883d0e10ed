import { describe, expect, it } from 'vitest';
import { type Storage, TRANSFER_PARTS, type TransferPart, type TransferRecord } from '../ports/index.ts';
import {
  activeHosts,
  actor,
  archiveNames,
  blue,
  byteOrdered,
  countOwned,
  labelsText,
  minute,
  namesOf,
  plain,
  red,
  ruleId,
  ruleWrite,
  save,
  saveNames,
  writeRules,
} from './samples.ts';
import { fillStorage, storedParts, writeParts } from './stored-samples.ts';

export function describeStorageTransferContract(fresh: () => Storage): void {
  describe('StorageTransfer', () => {
    describeReading(fresh);
    describeWriting(fresh);
    describeLifeAfterwards(fresh);
  });
}

async function keysOf({ transfer }: Storage, part: TransferPart, batchSize: number, after?: string): Promise<string[]> {
  const keys: string[] = [];
  const options = after === undefined ? { batchSize } : { batchSize, after };
  for await (const batch of transfer.read(part, options)) {
    expect(batch.length).toBeGreaterThan(0);
    expect(batch.length).toBeLessThanOrEqual(batchSize);
    keys.push(...batch.map((record) => record.key));
  }
  return keys;
}

function inByteOrder(keys: readonly string[]): string[] {
  return [...keys].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
}

function describeReading(fresh: () => Storage): void {
  it('gives every record of every part once, in byte order of keys, in batches', async () => {
    const storage = fresh();
    await fillStorage(storage);
    for (const part of TRANSFER_PARTS) {
      const keys = await keysOf(storage, part, 2);
      expect(keys.length, part).toBeGreaterThan(0);
      expect(new Set(keys).size, part).toBe(keys.length);
      expect(keys, part).toEqual(inByteOrder(keys));
      expect(await keysOf(storage, part, 1000), part).toEqual(keys);
      expect(await storage.transfer.count(part), part).toBe(keys.length);
    }
    expect(await keysOf(storage, 'hosts', 100)).toEqual(inByteOrder([...byteOrdered, 'net']));
  });

  it('continues behind any key, there or not', async () => {
    const storage = fresh();
    await fillStorage(storage);
    for (const part of TRANSFER_PARTS) {
      const keys = await keysOf(storage, part, 100);
      for (const [index, key] of keys.entries()) {
        expect(await keysOf(storage, part, 2, key), `${part} ${index}`).toEqual(keys.slice(index + 1));
      }
    }
    expect(await keysOf(storage, 'hosts', 100, 'aa')).toEqual((await keysOf(storage, 'hosts', 100)).slice(5));
  });

  it('gives what a host is to the letter', async () => {
    const storage = fresh();
    await save(storage.hosts, { b: {} });
    const labels = labelsText('{"b":1,"10":"\\u00fc","a.b":[1,null]}');
    const write = { account: red, at: minute(1), actor, runId: 'run' };
    await storage.hosts.saveLabels({ ...write, entries: [{ hostname: 'a', labels }] });
    await archiveNames(storage.hosts, ['a'], 'operator');
    expect((await storedParts(storage)).hosts[0]).toEqual({
      key: 'a',
      value: {
        hostname: 'a',
        accountId: red.id,
        isObject: false,
        objectType: 'host',
        labels: labels.text,
        inventory: '{}',
        members: '{}',
        folder: null,
        createdAt: '2026-01-01T00:01:00.000Z',
        createdBy: actor,
        lastSeen: '2026-01-01T00:01:00.000Z',
        lastUpdate: '2026-01-01T00:01:00.000Z',
        archive: { at: '2026-01-01T00:05:00.000Z', by: 'operator' },
        runId: 'run',
      },
    });
  });

  it('takes documents of records that do not say who vouches for them as confirmed by the operator', async () => {
    const storage = fresh();
    await fillStorage(storage);
    const [record] = (await storedParts(storage)).rules.filter(({ value }) => value.name === 'pool');
    const { confirmedBy: _, ...value } = record?.value ?? {};
    await storage.transfer.write('rules', [{ key: record?.key ?? '', value }]);
    expect((await storage.rules.findByName('cmk_folder_pool', 'pool'))?.confirmedBy).toBe('operator');
  });

  it('gives documents, versions, history and journals to the letter', async () => {
    const storage = fresh();
    await fillStorage(storage);
    const parts = await storedParts(storage);
    const rules = parts.rules.map(({ value }) => value);
    expect(rules.find(({ name }) => name === 'one')).toEqual({
      type: 'custom_attributes',
      id: ruleId(1),
      name: 'one',
      uniqueValue: null,
      version: 3,
      changedAt: '2026-01-01T00:02:00.000Z',
      document: `{"_id":{"$oid":"${ruleId(1)}"},"name":"one","n":3}`,
      confirmedBy: 'operator',
    });
    expect(rules.find(({ name }) => name === 'pool')).toMatchObject({ uniqueValue: '/a', confirmedBy: null });
    const versions = parts.rule_versions.map(({ value }) => [value.name, value.place, value.version, value.change]);
    expect(versions.filter(([name]) => name === 'one' || name === 'two')).toEqual([
      ['one', 0, 1, 'created'],
      ['one', 1, 2, 'replaced'],
      ['one', 2, 3, 'replaced'],
      ['two', 0, 1, 'created'],
      ['two', 1, 1, 'removed'],
      ['two', 2, 2, 'created'],
    ]);
    expect(parts.contributions.map(({ value }) => [value.hostname, value.accountId, value.owner, value.runId])).toEqual(
      [
        ['A', red.id, true, null],
        ['A', blue.id, false, 'run-2'],
        ['z', red.id, true, null],
        ['z', blue.id, false, 'run-2'],
      ],
    );
    expect(parts.relations.map(({ value }) => value)).toEqual([
      { hostname: 'A', type: 'depends_on', target: 'ab', source: 'import' },
      { hostname: 'A', type: 'runs_on', target: 'a', source: 'manual' },
      {
        hostname: 'ab',
        type: 'member_of',
        target: 'later',
        source: 'vcenter',
        namedAt: '2026-01-01T00:05:00.000Z',
      },
      { hostname: 'ab', type: 'runs_on', target: 'A', source: 'manual' },
    ]);
    expect(parts.host_changes.filter(({ value }) => value.hostname === 'B').map(({ value }) => value)).toEqual([
      {
        hostname: 'B',
        at: '2026-01-01T00:05:00.000Z',
        place: 0,
        actor,
        kind: 'archived',
        changes: '[{"path":"archive","after":{"at":"2026-01-01T00:05:00.000Z","by":"operator"}}]',
      },
      {
        hostname: 'B',
        at: '2026-01-01T00:06:00.000Z',
        place: 0,
        actor,
        kind: 'restored',
        changes: '[{"path":"archive","before":{"at":"2026-01-01T00:05:00.000Z","by":"operator"}}]',
      },
    ]);
    expect(parts.logs).toEqual([
      {
        key: ruleId(1),
        value: {
          id: ruleId(1),
          at: '2026-01-01T00:04:00.000Z',
          message: 'Import "red"',
          source: 'csv',
          details: [
            {
              level: 'warning',
              message: 'line 2',
              incomplete: { since: 'then', runs: 1, lastComplete: null, part: 'vms', message: 'failed' },
              bookmark: { text: '17', wholeAt: 'then', account: 'a', part: 'vms' },
              undid: { id: 'a'.repeat(24), at: '2026-01-01T00:00:00.000Z', lastComplete: null },
              plan: 'b'.repeat(24),
              began: 'then',
            },
          ],
          hasError: false,
        },
      },
    ]);
    expect(parts.audit.map(({ key }) => key)).toEqual([8, 9, 28, 29].map(ruleId));
    expect(parts.audit[0]?.value).not.toHaveProperty('seq');
    expect(parts.audit[1]?.value).toMatchObject({ details: 'a → b' });
    expect(parts.audit[3]?.value).toMatchObject({ seq: 1, mark: '1' });
    expect(parts.audit_chain).toEqual([{ key: 'chain', value: { state: '{"chain":1}' } }]);
    expect(parts.token_uses).toEqual([
      { key: 't1', value: { tokenId: 't1', at: '2026-01-01T00:08:00.000Z' } },
      { key: 't2', value: { tokenId: 't2', at: '2026-01-01T00:07:00.000Z' } },
    ]);
    const [died, held, ended] = [ruleId(21), ruleId(22), ruleId(23)];
    expect(parts.cron_states).toEqual([
      {
        key: died,
        value: {
          groupId: died,
          lastStart: '2026-01-01T00:12:00.000Z',
          lastEnd: null,
          message: 'no "red"',
          hasError: true,
          requested: false,
          attempts: 1,
          holder: 'n3',
        },
      },
      {
        key: held,
        value: {
          groupId: held,
          lastStart: '2026-01-01T00:10:00.000Z',
          lastEnd: null,
          message: '',
          hasError: false,
          requested: true,
          attempts: 1,
          holder: 'n4',
        },
      },
      {
        key: ended,
        value: {
          groupId: ended,
          lastStart: '2026-01-01T00:10:00.000Z',
          lastEnd: '2026-01-01T00:11:00.000Z',
          message: 'done',
          hasError: false,
          requested: false,
          attempts: 0,
          holder: null,
        },
      },
    ]);
  });

  it('gives runs of playbooks and what has fired to the letter', async () => {
    const storage = fresh();
    await fillStorage(storage);
    const { playbook_runs: runs, playbook_matches: matches } = await storedParts(storage);
    expect(runs).toEqual([
      {
        key: ruleId(11),
        value: {
          id: ruleId(11),
          playbook: 'agent/install.yml',
          provider: 'automation',
          hostname: null,
          checkMode: true,
          source: 'user',
          startedBy: 'ada',
          startedAt: '2026-01-01T00:11:00.000Z',
          endedAt: null,
          status: 'running',
          exitCode: null,
          message: '',
          output: 'PLAY',
          choices: { search: 'rack:"R04"', hosts: { count: 1, first: ['a'] } },
        },
      },
      {
        key: ruleId(12),
        value: {
          id: ruleId(12),
          playbook: 'agent/install.yml',
          provider: 'automation',
          hostname: 'a',
          checkMode: false,
          source: 'rule',
          startedBy: 'install agent',
          startedAt: '2026-01-01T00:12:00.000Z',
          endedAt: '2026-01-01T00:13:00.000Z',
          status: 'failed',
          exitCode: 2,
          message: 'exit code 2',
          output: 'fatal: "a"\n',
        },
      },
    ]);
    const match = { ruleId: ruleId(1), playbook: 'a.yml', since: '2026-01-01T00:01:00.000Z' };
    expect(matches.map(({ value }) => value)).toEqual([
      { ...match, hostname: 'B', playbook: '' },
      { ...match, hostname: 'B' },
      { ...match, hostname: 'a' },
      { ...match, hostname: 'a', playbook: 'b.yml', since: '2026-01-01T00:03:00.000Z' },
    ]);
    await writeParts(storage, await storedParts(storage));
    expect(await storage.playbooks.latest({ limit: 9 })).toMatchObject([{ status: 'failed' }, { status: 'lost' }]);
  });

  it('gives the same in a snapshot, part after part', async () => {
    const storage = fresh();
    await fillStorage(storage);
    const seen = new Map<TransferPart, TransferRecord[]>();
    for await (const { part, records } of storage.transfer.snapshot(2)) {
      expect(records.length).toBeLessThanOrEqual(2);
      seen.set(part, [...(seen.get(part) ?? []), ...records]);
    }
    expect([...seen.keys()]).toEqual([...TRANSFER_PARTS]);
    expect(Object.fromEntries(seen)).toEqual(await storedParts(storage));
  });

  it('gives what stays in a snapshot, whatever is written meanwhile', async () => {
    const storage = fresh();
    await saveNames(storage.hosts, ['a', 'b', 'c', 'd']);
    const names: string[] = [];
    for await (const { part, records } of storage.transfer.snapshot(1)) {
      if (part === 'hosts') names.push(...records.map((record) => record.key));
      await save(storage.hosts, { b: { n: names.length } });
    }
    expect(names).toEqual(['a', 'b', 'c', 'd']);
  });

  it('can be left early, and then the storage still stops', async () => {
    const storage = fresh();
    await fillStorage(storage);
    for await (const _ of storage.transfer.snapshot(1)) break;
    for await (const _ of storage.transfer.read('hosts', { batchSize: 1 })) break;
    await saveNames(storage.hosts, ['later']);
    await storage.stop();
    const refused = expect.objectContaining({ code: 'unavailable' });
    await expect(storage.transfer.count('hosts')).rejects.toEqual(refused);
    await expect(keysOf(storage, 'hosts', 1)).rejects.toEqual(refused);
    await expect(storage.transfer.write('hosts', [])).rejects.toEqual(refused);
  });
}

function describeWriting(fresh: () => Storage): void {
  it('stores what it gave, and everybody finds it as it was', async () => {
    const storage = fresh();
    await fillStorage(storage);
    const parts = await storedParts(storage);
    const before = await everythingSeen(storage);
    await storage.transfer.clear();
    await writeParts(storage, parts);
    expect(await storedParts(storage)).toEqual(parts);
    expect(await everythingSeen(storage)).toEqual(before);
    for await (const problem of storage.check({ fix: false })) expect(problem).toBeUndefined();
  });

  it('replaces what is there, as often as it is done', async () => {
    const storage = fresh();
    await fillStorage(storage);
    const parts = await storedParts(storage);
    const before = await everythingSeen(storage);
    await writeParts(storage, parts);
    await writeParts(storage, parts);
    expect(await storedParts(storage)).toEqual(parts);
    await storage.hosts.archive({ hostnames: ['a', 'b'], by: 'stale', at: minute(30), scope: null, actor });
    await save(storage.hosts, { z: { other: 1 } }, { at: minute(1) });
    await storage.transfer.write('hosts', parts.hosts);
    expect((await storedParts(storage)).hosts).toEqual(parts.hosts);
    expect((await everythingSeen(storage)).counters).toEqual(before.counters);
  });

  it('puts a change of a host where its time belongs', async () => {
    const storage = fresh();
    await saveNames(storage.hosts, ['a']);
    for (const number of [10, 20, 30]) await save(storage.hosts, { a: { number } }, { at: minute(number) });
    const all = (await storedParts(storage)).host_changes;
    await storage.transfer.clear();
    await saveNames(storage.hosts, ['a']);
    for (const record of [all[1], all[0], all[2]])
      await storage.transfer.write('host_changes', [record as TransferRecord]);
    expect((await storedParts(storage)).host_changes).toEqual(all);
    expect((await storage.history.ofHost('a', 10)).map(({ at }) => at)).toEqual([30, 20, 10, 1].map(minute));
  });

  it('moves the revisions of what it writes and clears', async () => {
    const storage = fresh();
    await fillStorage(storage);
    const parts = await storedParts(storage);
    const moved = async (work: () => Promise<void>): Promise<string[]> => {
      const before = await storage.revisions();
      await work();
      return [...(await storage.revisions())]
        .filter(([name, n]) => n > (before.get(name) ?? 0))
        .map(([name]) => name)
        .sort();
    };
    expect(await moved(() => storage.transfer.write('hosts', parts.hosts))).toEqual(['hosts']);
    const types = ['rules/accounts', 'rules/cmk_folder_pool', 'rules/custom_attributes'];
    expect(await moved(() => storage.transfer.write('rules', parts.rules))).toEqual(types);
    expect(await moved(() => storage.transfer.write('logs', parts.logs))).toEqual([]);
    expect(await moved(() => storage.transfer.clear())).toEqual(['hosts', ...types]);
  });

  it('clears everything, and stays in use', async () => {
    const storage = fresh();
    await fillStorage(storage);
    const once = { key: 'a', now: minute(1), until: minute(9) };
    await storage.access.useOnce(once);
    await storage.transfer.clear();
    for (const part of TRANSFER_PARTS) expect(await storage.transfer.count(part), part).toBe(0);
    expect(await storage.access.useOnce(once)).toBe(true);
    expect(await storage.hosts.counters({ scope: null, checkpoint: minute(9) })).toEqual({
      hosts: 0,
      objects: 0,
      notSeenSince: 0,
    });
    await saveNames(storage.hosts, byteOrdered);
    expect(await storage.hosts.count(activeHosts)).toBe(byteOrdered.length);
    expect(await namesOf(storage.hosts.page({ filter: activeHosts, offset: 3, limit: 2 }))).toEqual(
      byteOrdered.slice(3, 5),
    );
  });

  it('leaves out contributions and changes of hosts that are not there', async () => {
    const storage = fresh();
    await fillStorage(storage);
    const parts = await storedParts(storage);
    await storage.transfer.clear();
    await storage.transfer.write('contributions', parts.contributions);
    await storage.transfer.write('host_changes', parts.host_changes);
    expect(await storage.transfer.count('contributions')).toBe(0);
    expect(await storage.transfer.count('host_changes')).toBe(0);
  });

  it('refuses a record that does not fit, and a version in the place of another', async () => {
    const storage = fresh();
    await fillStorage(storage);
    const parts = await storedParts(storage);
    const [host, second] = parts.hosts as [TransferRecord, TransferRecord];
    const broken = [
      { ...host, value: { ...host.value, objectType: 'changed' } },
      { ...second, value: { ...second.value, createdAt: 'yesterday' } },
    ];
    await expect(storage.transfer.write('hosts', broken)).rejects.toMatchObject({ code: 'invalid_input' });
    const [version] = parts.rule_versions as [TransferRecord];
    const other = { ...version, value: { ...version.value, version: 77 } };
    await expect(storage.transfer.write('rule_versions', [other])).rejects.toMatchObject({ code: 'conflict' });
    expect(await storedParts(storage)).toEqual(parts);
  });
}

/** Tests that data stored by transfer behaves like written data. */
function describeLifeAfterwards(fresh: () => Storage): void {
  it('goes on with hosts, contributions and history', async () => {
    const storage = fresh();
    await fillStorage(storage);
    const parts = await storedParts(storage);
    await storage.transfer.clear();
    await writeParts(storage, parts);
    expect(await save(storage.hosts, { a: { n: 1 }, Z: {} }, { at: minute(50) })).toEqual(['updated', 'archived']);
    expect((await storage.history.ofHost('a', 10)).map(({ kind }) => kind)).toEqual(['labels', 'created']);
    const taken = { accountId: blue.id, except: [], at: minute(51), actor };
    expect(await storage.hosts.withdrawContributions(taken)).toBe(2);
    expect((await storage.hosts.get('z', null))?.labels.value).toEqual({ os: 'linux' });
    const kept = await storage.history.ofHost('A', 10);
    expect(kept[0]).toMatchObject({ at: minute(51), kind: 'labels' });
    expect(kept.length).toBe(parts.host_changes.filter(({ value }) => value.hostname === 'A').length + 2);
    await storage.hosts.archiveStale({ seenBefore: minute(40), at: minute(60), actor });
    expect(await namesOf(storage.hosts.page({ filter: activeHosts, offset: 0, limit: 10 }))).toEqual(['a']);
    for await (const problem of storage.check({ fix: false })) expect(problem).toBeUndefined();
  });

  it('goes on with rules and their versions', async () => {
    const storage = fresh();
    await fillStorage(storage);
    const parts = await storedParts(storage);
    await storage.transfer.clear();
    await writeParts(storage, parts);
    expect(await writeRules(storage.rules, [ruleWrite(1, 'one', { n: 4 })], 'replace', 70)).toEqual(['replaced']);
    expect(await writeRules(storage.rules, [ruleWrite(5, 'two')], 'skip', 70)).toEqual(['duplicate']);
    const versions = await storage.rules.versions('custom_attributes', ruleId(1), 10);
    expect(versions.map(({ version, document }) => [version, document.value.n])).toEqual([
      [4, 4],
      [3, 3],
      [2, 2],
      [1, 1],
    ]);
    await storage.rules.pruneVersions(minute(69));
    const left = async (id: number) =>
      (await storage.rules.versions('custom_attributes', ruleId(id), 10)).map((v) => v.at);
    expect(await left(1)).toEqual([minute(70)]);
    expect(await left(2)).toEqual([minute(4)]);
  });

  it('goes on with cron groups, and nobody holds one', async () => {
    const storage = fresh();
    await fillStorage(storage);
    const parts = await storedParts(storage);
    expect((await storage.cron.states()).map(({ isHeld }) => isHeld)).toEqual([false, true, false]);
    await storage.transfer.write('cron_states', parts.cron_states);
    expect((await storage.cron.states()).map(({ isHeld }) => isHeld)).toEqual([false, false, false]);
    const claim = { groupId: ruleId(22), holder: 'n5', at: minute(20), leaseMs: 600_000, requested: false };
    expect(await storage.cron.claim({ ...claim, seenStart: minute(10) })).toBe(true);
    expect((await storage.cron.states())[1]).toMatchObject({ holder: 'n5', attempts: 2, isHeld: true });
    expect(await storage.cron.retain([])).toBe(2);
  });
}

async function everythingSeen(storage: Storage) {
  const { hosts, relations, history, rules, logs, audit, access } = storage;
  const names = [...byteOrdered, 'net'];
  const all = { scope: null, kind: 'all', state: 'any' } as const;
  return {
    hosts: (await hosts.page({ filter: all, offset: 0, limit: 100 })).map(plain),
    objects: await hosts.count({ scope: null, kind: 'objects', state: 'active' }),
    owned: await countOwned(hosts, red.id),
    counters: await hosts.counters({ scope: null, checkpoint: minute(2) }),
    contributions: await hosts.contributions('A'),
    history: await Promise.all(names.map((name) => history.ofHost(name, 100))),
    relations: await relations.list('A', null),
    rules: (await rules.list('custom_attributes')).map(({ document, ...rule }) => ({ ...rule, text: document.text })),
    versions: (await rules.versions('custom_attributes', ruleId(1), 10)).map(({ document, ...version }) => ({
      ...version,
      text: document.text,
    })),
    logs: await logs.latest({ limit: 10 }),
    audit: await audit.latest({ limit: 10 }),
    tokens: await access.tokenUses(['t1', 't2', 't3']),
    // Leases are not moved.
    cron: (await storage.cron.states()).map(({ isHeld, ...group }) => group),
  };
}
