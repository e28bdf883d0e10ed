import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { streamChanges } from '../../../src/app/change-feed/operations/stream-changes.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { OPERATOR, OperationsApp } from '../operations/operations-app.ts';

let muster: OperationsApp;
let reads = 0;

beforeEach(async () => {
  const storage = memoryStorage()();
  await storage.start();
  const { feed, hosts } = storage;
  function counted<Given extends unknown[], Answer>(read: (...given: Given) => Answer): (...given: Given) => Answer {
    return (...given) => {
      reads++;
      return read(...given);
    };
  }
  const counting = {
    ...storage,
    feed: { after: counted(feed.after.bind(feed)) },
    hosts: Object.assign(Object.create(hosts) as typeof hosts, { findEach: counted(hosts.findEach.bind(hosts)) }),
  };
  muster = await OperationsApp.over(counting);
  onTestFinished(async () => {
    await muster.stop();
    await storage.stop();
  });
  await muster.addAccounts('crm');
});

/** Begins so many streams; `told` is what each was told, in the order of the names. */
async function streams(count: number) {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const reported: string[][] = [];
  for (let number = 0; number < count; number++) {
    const own: string[] = [];
    reported.push(own);
    const input = { kind: 'value', value: { since: 'now' } } as const;
    const { body } = await muster.app.executor.stream(streamChanges, input, OPERATOR, { signal: controller.signal });
    void (async () => {
      for await (const piece of body) {
        const [, name] = /"hostname":"([^"]*)"/.exec(String(piece)) ?? [];
        if (name !== undefined) own.push(name);
      }
    })().catch(() => undefined);
  }
  return { reported, end: () => controller.abort() };
}

const save = (hostname: string) => muster.run(saveHost, { hostname, account: 'crm', labels: {} });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Reads of the store by so many streams, from when all wait until each was told of three changes. */
async function readsOf(count: number): Promise<number> {
  const { reported, end } = await streams(count);
  await pause(1_200);
  reads = 0;
  for (const number of [1, 2, 3]) {
    const name = `of-${count}-${number}`;
    await save(name);
    await expect.poll(() => reported.every((own) => own.includes(name)), { timeout: 5_000 }).toBe(true);
  }
  const expected = [1, 2, 3].map((number) => `of-${count}-${number}`);
  for (const own of reported) expect(own).toEqual(expected);
  const found = reads;
  end();
  await pause(1_200);
  return found;
}

it('50 streams read the store about as often as one, and each is told of every change once', async () => {
  const alone = await readsOf(1);
  const together = await readsOf(50);
  expect(together).toBeLessThanOrEqual(alone + 15);
}, 30_000);

it('nobody reads when nobody listens', async () => {
  await readsOf(2);
  reads = 0;
  await pause(2_200);
  expect(reads).toBe(0);
}, 20_000);
