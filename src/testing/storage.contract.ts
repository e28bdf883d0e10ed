import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Storage, StorageProblem } from '../ports/index.ts';
import { describeAccessStoreContract } from './access-store.contract.ts';
import { describeActiveRunStoreContract } from './active-run-store.contract.ts';
import { describeAuditStoreContract } from './audit-store.contract.ts';
import { describeChangeFeedContract } from './change-feed.contract.ts';
import { describeCommentStoreContract } from './comment-store.contract.ts';
import { cronClaim, describeCronStoreContract } from './cron-store.contract.ts';
import { freshStorage, type OpenedStorage, type StorageHarness } from './harness.ts';
import { describeHistoryStoreContract } from './history-store.contract.ts';
import { describeHostCountStoreContract } from './host-count-store.contract.ts';
import { describeHostStoreContract } from './host-store.contract.ts';
import { describeLogStoreContract } from './log-store.contract.ts';
import { describeMarkStoreContract } from './mark-store.contract.ts';
import { describeOutboxStoreContract } from './outbox-store.contract.ts';
import { describeOwnershipStoreContract } from './ownership-store.contract.ts';
import { describePlanStoreContract } from './plan-store.contract.ts';
import { describePlaybookStoreContract, playbookMatch, playbookRun } from './playbook-store.contract.ts';
import { describePublishedStoreContract } from './published-store.contract.ts';
import { describeRelationStoreContract } from './relation-store.contract.ts';
import { describeRuleStoreContract } from './rule-store.contract.ts';
import {
  actor,
  blue,
  countOwned,
  documentOf,
  minute,
  plain,
  red,
  ruleId,
  ruleWrite,
  save,
  saveNames,
  writeRules,
} from './samples.ts';
import { describeSessionStoreContract } from './session-store.contract.ts';
import { describeSignInStoreContract } from './sign-in-store.contract.ts';
import { describeStorageTransferContract } from './storage-transfer.contract.ts';
import { describeWorkStoreContract } from './work-store.contract.ts';

/** Everything that a storage adapter promises. An adapter runs it once, with no skips. */
export function describeStorageContract(name: string, harness: StorageHarness): void {
  describe(`${name}: storage contract`, () => {
    const fresh = freshStorage(harness);
    describeHostStoreContract(fresh);
    describeRelationStoreContract(fresh);
    describeMarkStoreContract(fresh);
    describeHistoryStoreContract(fresh);
    describeChangeFeedContract(fresh);
    describeRuleStoreContract(fresh);
    describeLogStoreContract(fresh);
    describeAuditStoreContract(fresh);
    describeAccessStoreContract(fresh);
    describeSessionStoreContract(fresh);
    describeSignInStoreContract(fresh);
    describeCommentStoreContract(fresh);
    describeCronStoreContract(fresh);
    describeActiveRunStoreContract(fresh);
    describeWorkStoreContract(fresh);
    describeOutboxStoreContract(fresh);
    describePlaybookStoreContract(fresh);
    describePlanStoreContract(fresh);
    describeOwnershipStoreContract(fresh);
    describePublishedStoreContract(fresh);
    describeHostCountStoreContract(fresh);
    describeStorageTransferContract(fresh);
    describeWhole(fresh);
  });
  const { reopen } = harness;
  if (reopen !== undefined) describeTwo(name, harness.create, reopen);
}

async function problems(storage: Storage, fix: boolean): Promise<StorageProblem[]> {
  const found: StorageProblem[] = [];
  for await (const problem of storage.check({ fix })) found.push(problem);
  return found;
}

function describeWhole(fresh: () => Storage): void {
  describe('Storage', () => {
    it('starts and stops as often as asked, together and one after the other', async () => {
      const storage = fresh();
      await Promise.all([storage.start(), storage.start()]);
      await storage.start();
      await save(storage.hosts, { alpha: {} });
      await storage.stop();
      await storage.stop();
      await Promise.all([storage.stop(), storage.stop()]);
    });

    it('refuses work while stopped, with an error that a caller can tell', async () => {
      const storage = fresh();
      await storage.stop();
      const refused = expect.objectContaining({ code: 'unavailable' });
      await expect(storage.hosts.get('alpha', null)).rejects.toEqual(refused);
      await expect(save(storage.hosts, { alpha: {} })).rejects.toEqual(refused);
      expect((await storage.health()).ok).toBe(false);
    });

    it('waits for writes that are under way when it stops', async () => {
      const storage = fresh();
      const writes = Array.from({ length: 20 }, (_, n) => save(storage.hosts, { [`h${n}`]: {} }));
      const [outcomes] = await Promise.all([Promise.all(writes), storage.stop()]);
      expect(outcomes.flat()).toEqual(Array.from({ length: 20 }, () => 'created'));
    });

    it('answers that it is well', async () => {
      const health = await fresh().health();
      expect(health.ok).toBe(true);
      expect(health.message).not.toBe('');
    });

    it('knows no revision of what never changed, and only lets them grow', async () => {
      const storage = fresh();
      expect(await storage.revisions()).toEqual(new Map());
      let last = 0;
      for (let n = 0; n < 5; n++) {
        await save(storage.hosts, { alpha: { n } });
        const now = (await storage.revisions()).get('hosts') ?? 0;
        expect(now).toBeGreaterThan(last);
        last = now;
      }
      await writeRules(storage.rules, [ruleWrite(1, 'a')]);
      expect([...(await storage.revisions()).keys()].sort()).toEqual(['hosts', 'rules/custom_attributes']);
    });

    it('finds nothing wrong with data that it wrote', async () => {
      const storage = fresh();
      await writeRules(storage.rules, [ruleWrite(1, 'a', {}, { type: 'accounts', id: red.id })]);
      await saveNames(storage.hosts, ['a', 'b', 'c']);
      await save(storage.hosts, { a: { n: 2 } }, { at: minute(200) });
      await storage.hosts.archive({ hostnames: ['c'], by: 'api', at: minute(5), scope: null, actor });
      await storage.relations.add({ hostname: 'a', type: 'runs_on', target: 'b', source: 'manual' }, null);
      expect(await problems(storage, false)).toEqual([]);
      expect(await problems(storage, true)).toEqual([]);
    });

    it('names accounts that hosts belong to and that do not exist', async () => {
      const storage = fresh();
      await saveNames(storage.hosts, ['a', 'b'], { account: blue });
      const found = await problems(storage, true);
      expect(found.length).toBe(1);
      expect(found[0]?.subject).toContain(blue.id);
      expect(found[0]?.fixed).toBe(false);
      expect(await countOwned(storage.hosts, blue.id)).toBe(2);
    });

    it('a check that only looks for damage names nothing that can be read', async () => {
      const storage = fresh();
      await saveNames(storage.hosts, ['a'], { account: blue });
      expect(await problems(storage, false)).not.toEqual([]);
      for await (const problem of storage.check({ fix: false, only: 'damage' })) expect(problem).toBeUndefined();
    });

    it('a check leaves a relation alone whose target does not exist yet', async () => {
      const storage = fresh();
      const relations = [{ type: 'runs_on', target: 'later', source: 'manual' }];
      const record = documentOf('alpha', { accountId: null });
      await storage.hosts.putDocuments([{ record, mode: 'skip', relations }], actor);
      expect(await problems(storage, true)).toEqual([]);
      expect((await storage.relations.of(['alpha'])).length).toBe(1);
    });
  });
}

function describeTwo(
  name: string,
  create: () => Promise<OpenedStorage>,
  reopen: (opened: OpenedStorage) => Promise<OpenedStorage>,
): void {
  describe(`${name}: two storages over the same data`, () => {
    let first: OpenedStorage;
    let second: OpenedStorage;
    beforeEach(async () => {
      first = await create();
      second = await reopen(first);
    });
    afterEach(async () => {
      await second.close();
      await first.close();
    });

    it('see each other at once', async () => {
      const { hosts } = first.storage;
      for (let n = 0; n < 20; n++) {
        await save(hosts, { alpha: { n } });
        expect((await second.storage.hosts.get('alpha', null))?.labels.value).toEqual({ n });
        expect(await second.storage.revisions()).toEqual(await first.storage.revisions());
        await writeRules(second.storage.rules, [ruleWrite(1, 'a', { n })], 'replace');
        expect((await first.storage.rules.findByName('custom_attributes', 'a'))?.document.value.n).toBe(n);
      }
    });

    it('keep what was acknowledged over a stop', async () => {
      await save(first.storage.hosts, { alpha: { n: 1 } });
      const before = plain(await first.storage.hosts.get('alpha', null));
      const revisions = await first.storage.revisions();
      await first.storage.stop();
      await first.storage.start();
      expect(plain(await first.storage.hosts.get('alpha', null))).toEqual(before);
      expect(await first.storage.revisions()).toEqual(revisions);
    });

    it('keep over a stop what was used once, and who runs a cron group', async () => {
      const { cron, access } = first.storage;
      const once = { key: 'signature', now: minute(1), until: minute(9) };
      await access.useOnce(once);
      await cron.claim(cronClaim('a'));
      const before = await cron.states();
      await first.storage.stop();
      await first.storage.start();
      expect(await access.useOnce(once)).toBe(false);
      expect(await cron.states()).toEqual(before);
      expect(await cron.claim(cronClaim('b', { at: minute(2), seenStart: minute(1) }))).toBe(false);
    });

    it('give a cron group, and what may be used once, to exactly one of them', async () => {
      const stores = [first.storage, second.storage];
      const both = Array.from({ length: 20 }, (_, n) => ({ storage: stores[n % 2] as Storage, holder: `h${n}` }));
      let seenStart: Date | null = null;
      for (let round = 1; round <= 5; round++) {
        const at = minute(round);
        const claims = both.map(({ storage, holder }) => storage.cron.claim(cronClaim(holder, { at, seenStart })));
        const won = await Promise.all(claims);
        const winner = both.find((_, n) => won[n]);
        expect(won.filter((one) => one).length).toBe(1);
        for (const { cron } of stores) {
          expect(await cron.states()).toMatchObject([{ holder: winner?.holder, isHeld: true, lastStart: at }]);
        }
        const end = { groupId: ruleId(1), holder: winner?.holder ?? '', at, message: `${round}`, hasError: false };
        expect(await second.storage.cron.finish(end)).toBe(true);
        expect(await first.storage.cron.states()).toMatchObject([{ holder: null, message: `${round}` }]);
        seenStart = at;
        const once = { key: `${round}`, now: minute(1), until: minute(9) };
        const uses = await Promise.all(both.map(({ storage }) => storage.access.useOnce(once)));
        expect(uses.filter((one) => one).length).toBe(1);
      }
    });

    it('give a match of a playbook to exactly one of them, and tell each other of runs', async () => {
      const [one, two] = [first.storage.playbooks, second.storage.playbooks];
      const tries = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : two).remember(playbookMatch('a')));
      expect((await Promise.all(tries)).filter((won) => won).length).toBe(1);
      await one.begin(playbookRun(1));
      expect(await two.requestCancel(ruleId(1))).toBe('requested');
      expect(await one.keep({ id: ruleId(1), leaseMs: 1000 })).toBe('cancel');
      await first.storage.stop();
      await first.storage.start();
      expect(await one.remember(playbookMatch('a'))).toBe(false);
      expect(await one.find(ruleId(1))).toMatchObject({ id: ruleId(1) });
    });

    it('give a new host to exactly one of them', async () => {
      const names = Array.from({ length: 100 }, (_, n) => `h${n}`);
      const one = (storage: Storage, account: typeof red, order: readonly string[]) =>
        Promise.all(order.map((host) => save(storage.hosts, { [host]: { by: account.id } }, { account })));
      const [left, right] = await Promise.all([
        one(first.storage, red, names),
        one(second.storage, blue, names.toReversed()),
      ]);
      const outcomes = names.map((_, n) => [left[n]?.[0], right[names.length - 1 - n]?.[0]].sort());
      for (const pair of outcomes) expect(pair).toEqual(['account_conflict', 'created']);
      expect(await first.storage.hosts.count({ scope: null, kind: 'all', state: 'any' })).toBe(100);
    }, 60_000);
  });
}
