import type { Document, IndexDescription } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HostFilter, PlanEntry, Storage } from '../../../src/ports/index.ts';
import {
  actor,
  collect,
  minute,
  red,
  ruleId,
  ruleWrite,
  save,
  saveNames,
  writeRules,
} from '../../../src/testing/samples.ts';
import { openNoted, type SentCommand } from './commands.ts';
import { dropDatabase, everything, freshUrl, withRaw } from './harness.ts';
import { asksForAll, badStages, indexUse, questionsOf } from './index-use.ts';

/** One document for the whole database, or one for each node or receiver: read as they are. */
const SMALL = ['control', 'activeRuns', 'auditChain', 'auditForwarded', 'cronStates', 'outboxMarks'];
/** Looks at all of the collection by what they are for. */
const WHOLE = ['counts by account', 'newest entry of each source'];

let url: string;
let storage: Storage;
const indexes = new Map<string, readonly IndexDescription[]>();
let sent: SentCommand[];

beforeAll(async () => {
  url = await freshUrl();
  ({ storage, sent } = await openNoted(url));
  await saveNames(storage.hosts, ['alpha', 'beta']);
  for (let n = 0; n < 3; n++) await save(storage.hosts, { alpha: { n } }, { at: minute(n) });
  await writeRules(storage.rules, [ruleWrite(1, 'first')]);
  await storage.plans.begin(plan);
  await storage.plans.append({ id: PLAN, entries: [entry], leaseMs: plan.leaseMs });
  await withRaw(url, async (db) => {
    for (const { name } of await db.listCollections().toArray()) {
      indexes.set(name, (await db.collection(name).indexes()) as IndexDescription[]);
    }
  });
}, 60_000);

afterAll(async () => {
  await storage.stop();
  await dropDatabase(url);
});

const scopes: Record<string, HostFilter['scope']> = {
  'for everybody': null,
  'for accounts': { accounts: [red.id], templates: null },
  'for templates': { accounts: null, templates: [ruleId(5)] },
};
const filters = Object.entries(scopes).flatMap(([whom, scope]) =>
  (['all', 'hosts', 'objects'] as const).flatMap((kind) =>
    (['any', 'active', 'archived'] as const).map((state): [string, HostFilter] => [
      `${state} ${kind} ${whom}`,
      { scope, kind, state },
    ]),
  ),
);

const PLAN = ruleId(9);
const plan = {
  id: PLAN,
  accountId: 'a',
  account: 'out',
  madeBy: 'ada',
  madeAt: minute(0),
  basis: { hosts: 1, rules: 'r' },
  holder: 'n1',
  leaseMs: 600_000,
  isExclusive: false,
};
const entry: PlanEntry = {
  ...{ number: 1, action: 'create', kind: 'device', key: 'web1', previousKey: null, hostname: null, rule: null },
  ...{ drift: false, fields: [], after: [], remote: null, digest: 'd', secrets: '', outcome: null, reason: '' },
};
const place = { at: minute(2), id: ruleId(1) };

/** What is asked all the time, or of everything that is stored. */
const paths: readonly (readonly [string, () => Promise<unknown>])[] = [
  ...filters.flatMap(([what, filter]): [string, () => Promise<unknown>][] => [
    [`page of ${what}`, () => storage.hosts.page({ filter, offset: 0, limit: 10 })],
    [`deep page of ${what}`, () => storage.hosts.page({ filter, offset: 2_000, limit: 10 })],
    [`page behind a name of ${what}`, () => storage.hosts.page({ filter, offset: 0, limit: 10, after: 'a' })],
    [`search of ${what}`, () => everything(storage.hosts.search({ filter, holding: [['linux']] }))],
    [`count of ${what}`, () => storage.hosts.count(filter)],
    [`scan of ${what}`, () => collect(storage.hosts.scan(filter, 100))],
  ]),
  ['a host', () => storage.hosts.get('alpha', null)],
  ['counts by account', () => storage.hosts.countByAccount()],
  ['labels of hosts', () => save(storage.hosts, { alpha: { n: 9 }, gamma: {} }, { at: minute(9) })],
  [
    'what an import did not see',
    () =>
      storage.hosts.archiveUnseen({
        accountId: red.id,
        runId: 'run',
        seenBefore: minute(1),
        except: [],
        thresholdPercent: 100,
        activeBefore: 2,
        at: minute(9),
        actor,
      }),
  ],
  ['stale hosts', () => storage.hosts.archiveStale({ seenBefore: minute(0), at: minute(9), actor })],
  ['hosts by their keys', () => storage.marks.holders(['serial=1'])],
  ['edges of a host', () => storage.relations.list('alpha', null)],
  ['the change feed', async () => storage.feed.after('', 10)],
  ['history of a host', () => storage.history.ofHost('alpha', 10)],
  ['what changed', () => storage.history.latest({ limit: 10 })],
  ['what changed since', () => storage.history.latest({ limit: 10, from: minute(1) })],
  [
    'what changed before',
    () => storage.history.latest({ limit: 10, from: minute(0), before: { at: minute(2), hostname: 'alpha' } }),
  ],
  ['log', () => storage.logs.latest({ limit: 10 })],
  ['log before', () => storage.logs.latest({ limit: 10, before: place })],
  ['log of a source', () => storage.logs.latest({ limit: 10, source: 's', before: place })],
  ['newest entry of each source', () => storage.logs.newestBySource()],
  ['audit', () => storage.audit.latest({ limit: 10 })],
  ['audit before', () => storage.audit.latest({ limit: 10, before: place })],
  ['audit of somebody', () => storage.audit.latest({ limit: 10, actor: 'ada', before: place })],
  ['audit of an operation', () => storage.audit.latest({ limit: 10, operation: 'hosts/get', before: place })],
  ['chain of the audit', () => collect(storage.audit.linked({ after: 0, batchSize: 10 }))],
  ['a session', () => storage.sessions.find('s')],
  ['sessions of a user', () => storage.sessions.ofUser('u')],
  ['use of a session', () => storage.sessions.seen('s', minute(1))],
  ['rules of a type', () => storage.rules.list('custom_attributes')],
  ['a rule by name', () => storage.rules.findByName('custom_attributes', 'first')],
  ['versions of a rule', () => storage.rules.versions('custom_attributes', ruleId(1), 10)],
  ['a rule that is written', () => writeRules(storage.rules, [ruleWrite(2, 'second', {}, { uniqueValue: 'v' })])],
  ['plans', () => storage.plans.list({ limit: 10, accounts: null })],
  ['plans of accounts', () => storage.plans.list({ limit: 10, accounts: ['a', 'b'] })],
  ['plans before', () => storage.plans.list({ limit: 10, accounts: ['a'], before: { id: PLAN, madeAt: minute(1) } })],
  ...(
    [
      {},
      { action: 'create' },
      { kind: 'device' },
      { outcome: 'done' },
      { text: 'web' },
      { text: 'web', kind: 'site' },
    ] as const
  ).map((filter): [string, () => Promise<unknown>] => [
    `entries of a plan ${JSON.stringify(filter)}`,
    () => storage.plans.entries({ id: PLAN, filter, after: 0, limit: 10 }),
  ]),
  ['a plan', () => storage.plans.find(PLAN)],
  ['runs of playbooks', () => storage.playbooks.latest({ limit: 10 })],
  ['what is to be sent', () => storage.outbox.claim({ holder: 'h', leaseMs: 1 })],
  ['messages', () => storage.outbox.list({ limit: 10, state: 'waiting', receiver: 'r' })],
];

describe('MongoDB: hot paths', () => {
  it.each(paths)('%s uses an index without a sort in memory', async (name, ask) => {
    sent.splice(0);
    await ask();
    const asked = sent.flatMap(({ name: command, command: full }) =>
      questionsOf(command, full).map((question) => ({ question, command, full })),
    );
    const relevant = asked.filter(({ question }) => !SMALL.includes(question.collection));
    expect(asked.length).toBeGreaterThan(0);
    for (const { question } of relevant) {
      const use = indexUse(question, indexes.get(question.collection) ?? []);
      const isFine = use === 'entered' || (use === 'walk' && asksForAll(question));
      expect([isFine || WHOLE.includes(name), question]).toEqual([true, question]);
    }
    if (process.env.MUSTER_TEST_MONGODB_URL === undefined || WHOLE.includes(name)) return;
    // The substitute of the tests plans otherwise than a server does.
    for (const { command, full } of relevant) {
      const {
        lsid: _,
        $db: _db,
        $clusterTime: _time,
        readConcern: _read,
        writeConcern: _write,
        txnNumber: _txn,
        ...explain
      } = full;
      const answer = await withRaw(url, (db) => db.command({ explain, verbosity: 'queryPlanner' }));
      expect([command, badStages(answer)]).toEqual([command, []]);
    }
  });

  it('would be found out that have no index, or one of another order', () => {
    const of = (filter: Document, sort: Record<string, number> = {}) =>
      indexUse({ collection: 'logs', filter, sort }, [{ key: { source: 1, at: -1, _id: -1 }, name: 'by_source' }]);
    expect(of({ source: 'a' }, { at: -1, _id: -1 })).toBe('entered');
    expect(of({ source: 'a' }, { at: 1, _id: 1 })).toBe('entered');
    expect(of({ source: { $gt: 'a' } }, { at: -1 })).toBe('nothing');
    expect(of({ source: 'a' }, { at: 1, _id: -1 })).toBe('nothing');
    expect(of({ source: 'a' }, { hasError: 1 })).toBe('nothing');
    expect(of({ at: minute(1) })).toBe('nothing');
    expect(of({}, { source: 1, at: -1 })).toBe('walk');
    expect(of({}, { at: -1 })).toBe('nothing');
  });
});
