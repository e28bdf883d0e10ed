import { expect, it, vi } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { AuditForwarding } from '../../../src/app/journal/audit/forwarding.ts';
import type { Logger } from '../../../src/ports/index.ts';

const logger: Logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn(), child: () => logger };

it('is done by one node at a time, and continues when a clock that was ahead is put right', async () => {
  const storage = memoryStorage()();
  await storage.start();
  let now = Date.parse('2028-05-01T00:00:00Z');
  const forwarded = vi.fn(async () => new Map());
  const store = { ...storage.audit, forwarded };
  const node = () =>
    new AuditForwarding({
      ...{ store, access: storage.access, logger, chain: { continues: async () => true } },
      clock: { now: () => new Date(now) },
      sinks: async () => [{ name: 'tower', send: async () => {} }],
    });
  const [one, other] = [node(), node()];
  const signal = new AbortController().signal;
  await one.run(signal);
  now += 1_999;
  await other.run(signal);
  expect(forwarded).toHaveBeenCalledTimes(1);
  // As often as the service forwards.
  now += 3_001;
  await other.run(signal);
  expect(forwarded).toHaveBeenCalledTimes(2);
  now = Date.parse('2026-11-30T01:00:00Z');
  await one.run(signal);
  expect(forwarded).toHaveBeenCalledTimes(3);
  await storage.stop();
});
