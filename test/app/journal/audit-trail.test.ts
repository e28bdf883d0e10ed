import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { aesGcmSecretBox } from '../../../src/adapters/secrets/aes-gcm-secret-box.ts';
import { fixedInstanceKey } from '../../../src/adapters/secrets/instance-key-file.ts';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { AuditTrail, type AuditTrailDeps } from '../../../src/app/journal/audit/audit-trail.ts';
import type { NewAuditEntry } from '../../../src/app/kernel/audit-entry.ts';
import { AppError, type AuditStore, type Storage } from '../../../src/ports/index.ts';
import { type LoggedLine, recordingLogger } from '../../support/recording-logger.ts';

/** What the storage does with the next writes: refuses them, or does them and loses the answer. */
let next: ('refuse' | 'lose the answer')[];
let storage: Storage;
let lines: LoggedLine[];
let trail: AuditTrail;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  next = [];
  storage = memoryStorage()();
  await storage.start();
  lines = [];
  trail = new AuditTrail(parts());
});

afterEach(async () => {
  vi.useRealTimers();
  await storage.stop();
});

function parts(): AuditTrailDeps {
  let ids = 0;
  return {
    store: failing(storage.audit),
    secrets: () => aesGcmSecretBox({ keys: fixedInstanceKey(() => Buffer.alloc(32, 1)) }),
    secretsOfNewKey: () => aesGcmSecretBox({ keys: fixedInstanceKey(() => Buffer.alloc(32, 1)) }),
    clock: { now: () => new Date() },
    logger: recordingLogger(lines),
    newId: () => (++ids).toString(16).padStart(24, '0'),
  };
}

function failing(store: AuditStore): AuditStore {
  return {
    ...store,
    async append(entries, step) {
      const what = next.shift();
      const unavailable = new AppError('unavailable', 'the disk is full', { retryAfterSeconds: 1 });
      if (what === 'refuse') throw unavailable;
      const moved = await store.append(entries, step);
      if (what === 'lose the answer') throw unavailable;
      return moved;
    },
  };
}

function entry(n: number): NewAuditEntry {
  const at = new Date(1_800_000_000_000 + n);
  const rest = { actor: 'olga', entrance: 'rest', address: '', operation: 'hosts/save-host', outcome: 'done' } as const;
  return { id: n.toString(16).padStart(24, 'f'), at, subject: `h${n}`, requestId: `r${n}`, ...rest };
}

async function keep(...numbers: readonly number[]): Promise<void> {
  for (const n of numbers) trail.keep(entry(n));
  await trail.settled();
}

/** Subjects in the order of the chain. */
async function kept(): Promise<string[]> {
  const subjects: string[] = [];
  for await (const batch of storage.audit.linked({ after: 0, batchSize: 10 })) {
    subjects.push(...batch.map(({ subject }) => subject));
  }
  return subjects;
}

async function later(): Promise<void> {
  await vi.advanceTimersByTimeAsync(2_000);
  await trail.settled();
}

it('keeps entries of what was done while the storage did not take them, in their order', async () => {
  await keep(1);
  next = ['refuse', 'refuse'];
  await keep(2);
  await keep(3);
  expect(await kept()).toEqual(['h1']);
  await later();
  await later();
  expect(await kept()).toEqual(['h1', 'h2', 'h3']);
  await keep(4);
  expect(await kept()).toEqual(['h1', 'h2', 'h3', 'h4']);
});

it('keeps none twice when only the answer was lost, and somebody else wrote meanwhile', async () => {
  next = ['lose the answer'];
  await keep(1, 2);
  await later();
  expect(await kept()).toEqual(['h1', 'h2']);
  next = ['lose the answer'];
  await keep(3);
  await keep(4);
  await later();
  expect(await kept()).toEqual(['h1', 'h2', 'h3', 'h4']);
});

it('tries once more when it is closed, and says how many are lost', async () => {
  next = ['refuse', 'refuse'];
  await keep(1, 2);
  await trail.close();
  expect(await kept()).toEqual([]);
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 'error', message: expect.stringContaining('lost'), fields: { entries: 2 } }),
  );
});

it('has an entry in the storage before who waits for it goes on', async () => {
  trail.keep(entry(1));
  await trail.kept(entry(2));
  expect(await kept()).toEqual(['h1', 'h2']);
});

it('lets nobody wait while the storage does not take entries', async () => {
  next = ['refuse'];
  await trail.kept(entry(1));
  await trail.kept(entry(2));
  expect(await kept()).toEqual([]);
  await later();
  expect(await kept()).toEqual(['h1', 'h2']);
});

it('lets nobody wait for longer than five seconds', async () => {
  let answer = (): void => undefined;
  const silence = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { append } = storage.audit;
  vi.spyOn(storage.audit, 'append').mockImplementation(async (...values) => {
    await silence;
    return append.call(storage.audit, ...values);
  });
  trail = new AuditTrail({ ...parts(), store: storage.audit });
  let waits = true;
  const waiting = trail.kept(entry(1)).then(() => {
    waits = false;
  });
  await vi.advanceTimersByTimeAsync(4_999);
  expect(waits).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(await kept()).toEqual([]);
  answer();
  await trail.settled();
  expect(await kept()).toEqual(['h1']);
});
