import { describe, expect, it } from 'vitest';
import { readMarker } from '../../../src/app/maintenance/transfer/unfinished-transfer.ts';
import { TRANSFER_PARTS, type TransferPart, type TransferRecord } from '../../../src/ports/index.ts';
import { archiveNames, minute, saveNames } from '../../../src/testing/samples.ts';
import { fillStorage, storedParts } from '../../../src/testing/stored-samples.ts';
import { createStorage } from '../../adapters/mongodb/harness.ts';
import { failingAtWrite, fillHosts, freshMemory, freshSqlite, migrate } from './support.ts';

describe('a migration', () => {
  it('brings everything from SQLite to memory to SQLite, equal to the letter', async () => {
    const [first, between, last] = [await freshSqlite(), await freshMemory(), await freshSqlite()];
    await fillStorage(first);
    await fillHosts(first, 3_000);
    const there = await migrate(first, between);
    const back = await migrate(between, last);
    expect(there.parts.map(({ part }) => part)).toEqual([...TRANSFER_PARTS]);
    for (const { part, count } of there.parts) expect(count, part).toBeGreaterThan(0);
    expect(back).toEqual(there);
    expect(there.resumed).toBe(false);
    expect(await storedParts(last, 1000)).toEqual(await storedParts(first, 1000));
    for await (const problem of last.check({ fix: false })) expect(problem).toBeUndefined();
  });

  it('brings everything from SQLite to MongoDB to SQLite, equal to the letter', async () => {
    const [first, last] = [await freshSqlite(), await freshSqlite()];
    const { storage: between, close } = await createStorage();
    try {
      await fillStorage(first);
      await fillHosts(first, 50);
      expect(await migrate(between, last, { source: 'empty' })).toMatchObject({ resumed: false });
      const there = await migrate(first, between);
      expect(await migrate(between, last)).toEqual(there);
      expect(await storedParts(last, 1000)).toEqual(await storedParts(first, 1000));
      for await (const problem of between.check({ fix: false })) expect(problem).toBeUndefined();
    } finally {
      await close();
    }
  }, 60_000);

  it('refuses a target that holds something, unless it may be deleted', async () => {
    const [from, to] = [await freshMemory(), await freshMemory()];
    await fillStorage(from);
    await saveNames(to.hosts, ['mine']);
    await expect(migrate(from, to)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('it contains 1 host;'),
    });
    expect(await to.transfer.count('hosts')).toBe(1);
    await migrate(from, to, { force: true });
    expect(await storedParts(to)).toEqual(await storedParts(from));
  });

  it('takes a target that holds nothing but logs', async () => {
    const [from, to] = [await freshMemory(), await freshMemory()];
    await fillStorage(from);
    const entry = {
      at: minute(1),
      actor: 'x',
      entrance: 'cli',
      address: '',
      operation: 'o',
      subject: '',
      outcome: 'failed',
    };
    await to.audit.append([{ ...entry, id: 'e'.repeat(24), requestId: '', details: '', link: null }]);
    await migrate(from, to);
    expect(await storedParts(to)).toEqual(await storedParts(from));
  });

  it('finishes what was cut off at any write', async () => {
    const from = await freshMemory();
    await fillStorage(from);
    const wanted = await storedParts(from);
    for (let number = 1; number <= TRANSFER_PARTS.length; number++) {
      const to = await freshMemory();
      await expect(migrate(from, failingAtWrite(to, number))).rejects.toThrow('cut off');
      expect(await readMarker(to)).toMatchObject({ kind: 'migration', source: 'test:source', state: 'copying' });
      await expect(migrate(from, to, { source: 'other' })).rejects.toMatchObject({ code: 'conflict' });
      await expect(migrate(to, await freshMemory())).rejects.toMatchObject({ code: 'conflict' });
      expect(await migrate(from, to)).toMatchObject({ resumed: true });
      expect(await storedParts(to)).toEqual(wanted);
      expect(await readMarker(to)).toBeUndefined();
    }
  });

  it('stops when asked, and goes on where it was', async () => {
    const [from, to] = [await freshSqlite(), await freshSqlite()];
    await fillHosts(from, 5_000);
    const stop = new AbortController();
    const progress = ({ done }: { done: number }) => {
      if (done > 2_000) stop.abort();
    };
    await expect(migrate(from, to, { signal: stop.signal, progress })).rejects.toThrow(/abort/);
    const before = await to.transfer.count('hosts');
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(5_000);
    expect(await migrate(from, to)).toMatchObject({ resumed: true });
    expect(await to.transfer.count('hosts')).toBe(5_000);
  });

  it('says when somebody wrote meanwhile, and starts anew then', async () => {
    const [from, to] = [await freshMemory(), await freshMemory()];
    await fillStorage(from);
    const disturbed = {
      ...to,
      transfer: {
        ...to.transfer,
        async write(part: TransferPart, records: readonly TransferRecord[]) {
          await to.transfer.write(part, records);
          if (part === 'token_uses') await archiveNames(from.hosts, ['a']);
        },
      },
    };
    await expect(migrate(from, disturbed)).rejects.toMatchObject({
      code: 'failed',
      details: [
        { path: 'hosts', message: 'other content' },
        { path: 'host_changes', message: expect.stringMatching(/of \d+ records/) },
      ],
    });
    expect(await migrate(from, to)).toMatchObject({ resumed: false });
    expect(await storedParts(to)).toEqual(await storedParts(from));
  });

  it('never copies a storage onto itself', async () => {
    const from = await freshMemory();
    await fillStorage(from);
    const before = await storedParts(from);
    await expect(migrate(from, from, { force: true })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await storedParts(from)).toEqual(before);
  });
});
