import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { noticeHappenings } from '../../../src/app/notifications/notice.ts';
import { listNotifications } from '../../../src/app/notifications/operations/list-notifications.ts';
import { retryNotification } from '../../../src/app/notifications/operations/retry-notification.ts';
import { testNotification } from '../../../src/app/notifications/operations/test-notification.ts';
import { MOST_ATTEMPTS, pauseAfter, sendDue } from '../../../src/app/notifications/send.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { importAccount } from '../../../src/app/runs/import/operations/import-account.ts';
import { AppError, type LogDetail, NO_PLAN_COUNTS, type Notification, type Storage } from '../../../src/ports/index.ts';
import { type AnsweringServer, answeringServer } from '../../../src/testing/faulty-server.ts';
import { OperationsApp } from '../operations/operations-app.ts';

const ACCOUNT = 'a'.repeat(24);
const LONG = '1'.repeat(24);
const SHORT = '2'.repeat(24);
const SIGNAL = new AbortController().signal;

let storage: Storage;
let muster: OperationsApp;
let server: AnsweringServer;
let folder: string;
/** Statuses that the receiver answers next; 200 when there are none. */
let statuses: number[];
/** What the receiver waits for before it answers. */
let hold: () => Promise<void>;
let now: Date;

beforeEach(async () => {
  now = new Date('2026-11-26T10:00:00Z');
  const clock = { now: () => now };
  storage = memoryStorage()({ clock });
  await storage.start();
  muster = await OperationsApp.over(storage, {}, undefined, undefined, clock);
  statuses = [];
  hold = async () => undefined;
  server = await answeringServer(async () => {
    await hold();
    return { status: statuses.shift() ?? 200, body: '{}' };
  });
  folder = await mkdtemp(join(tmpdir(), 'muster-notify-'));
  await muster.run(addAccount, { name: 'hook', type: 'webhook', settings: { url: server.address }, password: 'k3y' });
  await muster.run(addAccount, {
    name: 'crm',
    type: 'csv',
    settings: { path: join(folder, 'no.csv'), hostname_field: 'host' },
  });
});
afterEach(async () => {
  await muster.stop();
  await storage.stop();
  await server.close();
  await rm(folder, { recursive: true });
});

const rule = (more: object = {}) => ({
  name: 'ops',
  enabled: true,
  receivers: ['hook'],
  cool_down_minutes: 0,
  ...more,
});
const store = (more: object = {}) =>
  muster.run(importRules, { override: true, rules: { notification_policies: [rule(more)] } });
const fail = () => muster.run(importAccount, { account: 'crm' }).catch(() => undefined);
const notice = () => noticeHappenings(muster.app.services);
const send = () => sendDue(muster.app.services, SIGNAL);
const received = (): Notification[] => server.requests.map(({ body }) => JSON.parse(body) as Notification);
const later = (minutes: number): void => {
  now = new Date(now.getTime() + minutes * 60_000);
};

describe('notifications', () => {
  beforeEach(async () => {
    await store();
    await notice();
  });

  it('tell of a run that failed, once, however often somebody looks', async () => {
    await fail();
    expect([await notice(), await notice()]).toEqual([1, 0]);
    later(1);
    expect(await notice()).toBe(0);
    expect(await send()).toEqual({ sent: 1, failed: 0 });
    expect(await send()).toEqual({ sent: 0, failed: 0 });
    expect(received()).toMatchObject([{ event: 'run_failed', subject: 'crm', rule: 'ops' }]);
    expect(server.requests[0]?.headers).toMatchObject({
      'idempotency-key': received()[0]?.id,
      'x-signature-sha256': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    });
  });

  it('tell of a plan that waits and of one that is refused, also when it was long in the making', async () => {
    const begin = async (id: string) => {
      const lasting = { holder: id, leaseMs: 3_600_000, isExclusive: false };
      const basis = { hosts: 1, rules: 'r' };
      await storage.plans.begin({
        id,
        accountId: ACCOUNT,
        account: 'box',
        madeBy: 'ada',
        madeAt: now,
        basis,
        ...lasting,
      });
    };
    const settle = (id: string, status: 'ready' | 'refused' | 'failed') =>
      storage.plans.settle({ id, status, counts: NO_PLAN_COUNTS, drift: 0, needsApproval: true, message: 'all of it' });
    await begin(LONG);
    for (let look = 0; look < 3; look++) {
      later(10);
      expect(await notice()).toBe(0);
    }
    await begin(SHORT);
    await settle(SHORT, 'refused');
    await settle(LONG, 'ready');
    // So many others were made since that page after page is read.
    for (let other = 0; other < 101; other++) {
      const id = `3${String(other).padStart(23, '0')}`;
      await begin(id);
      await settle(id, 'failed');
    }
    expect([await notice(), await notice()]).toEqual([2, 0]);
    later(10);
    expect(await notice()).toBe(0);
    await send();
    expect(received()).toMatchObject([
      { event: 'approval_waiting', subject: 'box', text: 'all of it' },
      { event: 'threshold', subject: 'box' },
    ]);
  });

  it('tell why jobs of a group failed, whatever others warned of before', async () => {
    const warnings = Array.from({ length: 9 }, (_, line) => ({ level: 'warning', message: `line ${line} skipped` }));
    await storage.logs.append({
      id: 'c'.repeat(24),
      at: now,
      source: 'cron:nightly',
      message: 'Cron group nightly failed',
      details: [
        { level: 'info', message: 'files: 9 records' },
        ...(warnings as LogDetail[]),
        { level: 'error', message: 'hosts: The database does not answer.' },
      ],
      hasError: true,
    });
    await notice();
    await send();
    expect(received()).toMatchObject([
      {
        event: 'group_failed',
        subject: 'nightly',
        title: 'Cron group nightly failed: hosts: The database does not answer.',
        text: expect.stringMatching(/^hosts: The database does not answer\.\nline 0 skipped\n/),
      },
    ]);
  });

  it('are held back while a rule told of the same a short while ago', async () => {
    await store({ cool_down_minutes: 30 });
    for (let round = 0; round < 3; round++) {
      await fail();
      await notice();
      later(11);
    }
    await fail();
    await notice();
    const { notifications } = await muster.run(listNotifications, {});
    expect(notifications.map(({ state }) => state)).toEqual(['waiting', 'held_back', 'held_back', 'waiting']);
  });

  it('are not held back where a node told of the same whose clock is ahead', async () => {
    later(1);
    await fail();
    await notice();
    later(-1);
    await fail();
    expect(await notice()).toBe(1);
    expect(await send()).toMatchObject({ sent: 2 });
  });

  it('tell only what a rule names, and as the version says that an administrator confirmed', async () => {
    await store({ events: ['run_partial'] });
    await fail();
    expect(await notice()).toBe(0);
    await store({ subjects: ['other', 'net*'] });
    expect(await notice()).toBe(0);
    await store({ subjects: ['c*'] });
    expect(await notice()).toBe(1);
    const writer = await muster.addCaller('writer', { roles: ['rules'] });
    await muster.run(
      importRules,
      { override: true, rules: { notification_policies: [rule({ subjects: ['other'] })] } },
      writer,
    );
    later(120);
    await fail();
    expect(await notice()).toBe(1);
  });

  it('tell of sources that are silent, as long as a rule wants them to be', async () => {
    await fail();
    await store({ events: ['source_silent'], silent_hours: 3 });
    later(170);
    expect(await notice()).toBe(0);
    later(20);
    expect([await notice(), await notice()]).toEqual([1, 0]);
    await send();
    expect(received()).toMatchObject([{ event: 'source_silent', subject: 'crm' }]);
  });

  it('continue when a clock that was ahead is put right', async () => {
    const right = now;
    await fail();
    await store({ events: ['run_failed', 'source_silent'], silent_hours: 1 });
    now = new Date('2028-11-26T10:00:00Z');
    await fail();
    expect(await notice()).toBeGreaterThan(0);
    statuses = [500];
    expect(await send()).toEqual({ sent: 0, failed: 1 });
    now = right;
    later(1);
    await fail();
    expect(await notice()).toBe(1);
    expect(await send()).toMatchObject({ failed: 0 });
    const before = received().length;
    later(90);
    expect(await notice()).toBe(1);
    await send();
    expect(received().slice(before)).toMatchObject([
      { event: 'source_silent', title: 'crm has not been imported for 1 hour' },
    ]);
  });

  it('stay in order while a receiver fails, and go on when it is back', async () => {
    await fail();
    await notice();
    later(1);
    await fail();
    await notice();
    statuses = [500, 500];
    expect(await send()).toEqual({ sent: 0, failed: 1 });
    expect(await send()).toEqual({ sent: 0, failed: 0 });
    later(1);
    expect(await send()).toEqual({ sent: 0, failed: 1 });
    later(1);
    expect(await send()).toEqual({ sent: 2, failed: 0 });
    const ids = received().map(({ id }) => id);
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(ids).toHaveLength(4);
  });

  it('are sent once where the store is away when they have arrived', async () => {
    await fail();
    await notice();
    const settle = vi.spyOn(storage.outbox, 'settle');
    settle.mockRejectedValueOnce(new AppError('unavailable', 'The database does not answer.'));
    expect(await send()).toMatchObject({ sent: 1, failed: 0 });
    later(60);
    expect(await send()).toMatchObject({ sent: 0, failed: 0 });
    expect(received()).toHaveLength(1);
  });

  it('arrive where the service stops while they are on their way, and are not sent again', async () => {
    await fail();
    await notice();
    const stopping = new AbortController();
    hold = async () => {
      stopping.abort();
      await new Promise((resolve) => setTimeout(resolve, 100));
    };
    expect(await sendDue(muster.app.services, stopping.signal)).toEqual({ sent: 1, failed: 0 });
    later(60);
    expect(await send()).toEqual({ sent: 0, failed: 0 });
    expect(received()).toHaveLength(1);
  });

  it('are given up at last, shown, and sent again with the same id', async () => {
    await fail();
    await notice();
    statuses = Array<number>(MOST_ATTEMPTS).fill(503);
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      await send();
      later(pauseAfter(MOST_ATTEMPTS) / 60_000);
    }
    const { notifications, counts } = await muster.run(listNotifications, { state: 'dead' });
    expect(counts).toEqual({ waiting: 0, sent: 0, held_back: 0, dead: 1 });
    expect(notifications).toMatchObject([{ attempts: MOST_ATTEMPTS, error: expect.stringContaining('503') }]);
    await muster.run(retryNotification, { notification: notifications[0]?.id });
    expect(await send()).toEqual({ sent: 1, failed: 0 });
    expect(new Set(received().map(({ id }) => id)).size).toBe(1);
    await expect(muster.run(retryNotification, { notification: notifications[0]?.id })).rejects.toThrow('was given up');
  });

  it('say what is wrong when a receiver is tried, and with what', async () => {
    expect(await muster.run(testNotification, { receiver: 'hook' })).toMatchObject({ receiver: 'hook' });
    statuses = [404];
    await expect(muster.run(testNotification, { receiver: 'hook' })).rejects.toThrow('404');
    await expect(muster.run(testNotification, { receiver: 'crm' })).rejects.toThrow('sends no notifications');
    await expect(muster.run(testNotification, { receiver: 'no' })).rejects.toThrow('no account no');
  });
});

it('nothing that was before the first rule is news', async () => {
  await fail();
  later(2);
  await store();
  expect(await notice()).toBe(0);
});

/** Whatever receivers answer, and whoever dies between: each gets all of its messages, in order, and repeats only the last one. */
it('each receiver gets everything in order, whatever fails and whoever dies', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('put' as const), receiver: fc.constantFrom('a', 'b') }),
    fc.record({ kind: fc.constant('send' as const), ends: fc.constantFrom('sent', 'failed', 'died', 'lost') }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const world = memoryStorage()();
      await world.start();
      const { outbox } = world;
      const put = new Map<string, string[]>();
      const got = new Map<string, string[]>();
      let count = 0;
      const attempt = async (ends: string): Promise<boolean> => {
        const message = await outbox.claim({ holder: `n${++count}`, leaseMs: ends === 'died' ? -1000 : 60_000 });
        if (message === undefined) return false;
        const { id, receiver } = message;
        // `lost`: it arrived, and the sender died before it was noted.
        if (ends === 'sent' || ends === 'lost') got.set(receiver, [...(got.get(receiver) ?? []), id]);
        const holder = `n${count}`;
        if (ends === 'sent') await outbox.settle({ id, holder, outcome: { state: 'sent' } });
        if (ends !== 'sent') await outbox.settle({ id, holder, outcome: { state: 'waiting', error: 'x', delayMs: 0 } });
        return true;
      };
      for (const each of steps) {
        if (each.kind === 'send') await attempt(each.ends);
        else {
          const id = `m${++count}`;
          put.set(each.receiver, [...(put.get(each.receiver) ?? []), id]);
          const message = {
            id,
            receiver: each.receiver,
            topic: 't',
            at: new Date(),
            state: 'waiting',
            body: '{}',
          } as const;
          await outbox.put({ messages: [message] });
        }
      }
      let isLeft = true;
      while (isLeft) isLeft = await attempt('sent');
      for (const [receiver, ids] of put) {
        const all = got.get(receiver) ?? [];
        expect(all.filter((id, index) => id !== all[index - 1])).toEqual(ids);
      }
      await world.stop();
    }),
    { numRuns: 200 },
  );
});
