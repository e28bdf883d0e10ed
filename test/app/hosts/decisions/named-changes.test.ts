import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { archive, archiveStale, archiveUnseen, restore } from '../../../../src/app/hosts/decisions/archive.ts';
import { contributeLabels, withdrawContributions } from '../../../../src/app/hosts/decisions/contribution.ts';
import { ruleChangesOf } from '../../../../src/app/hosts/decisions/folder-seats.ts';
import { type DraftHost, HostDraft, type HostPart } from '../../../../src/app/hosts/decisions/host-draft.ts';
import { labelsOf, layeredLabels, ownerLayer } from '../../../../src/app/hosts/decisions/label-layers.ts';
import { previewLabels, saveLabels } from '../../../../src/app/hosts/decisions/label-write.ts';
import type { LikelyHost, NamedChange, SeenAgain } from '../../../../src/app/hosts/decisions/named-change.ts';
import { putDocument } from '../../../../src/app/hosts/decisions/replacement.ts';
import { saveSection } from '../../../../src/app/hosts/decisions/section.ts';
import type { Actor } from '../../../../src/ports/index.ts';
import { runs } from '../../../support/number-of-runs.ts';
import { account, hostState, members, moment, reason, run, scope } from './host-states.ts';

const actor: Actor = { kind: 'user', name: 'olga' };
const LIMIT = 60;

const date = moment.map((at) => new Date(at));
const by = { at: date, actor: fc.constant(actor) };
const labels = fc
  .dictionary(fc.constantFrom('os', 'site', '1', '__proto__'), fc.constantFrom('a', 1, null), { noNullPrototype: true })
  .map((value) => JSON.stringify(value));
const sections = fc.record({
  key: fc.constantFrom('net', 'os'),
  section: fc.constantFrom('{}', '{"n":1}', '{ "n":1 }', `{"n":"${'x'.repeat(40)}"}`),
});
const writer = account.map((id) => ({ id, isObject: id === 'red', objectType: id === 'red' ? 'rack' : 'host' }));

const texts = fc.record({
  objectType: fc.constant('host'),
  lastUpdate: fc.option(moment, { nil: null }),
  labels,
  inventory: fc.constantFrom('{}', '{"net":{}}'),
  members,
});
const givers = fc.uniqueArray(
  fc.record({
    accountId: account,
    precedence: fc.integer({ min: -1, max: 1 }),
    labels,
    at: moment,
    runId: fc.option(run, { nil: null }),
  }),
  { selector: ({ accountId }) => accountId },
);

/** A host as a store holds it: layers only while others contribute, the owner's among them, and what they show on top. */
const storedHost: fc.Arbitrary<DraftHost> = fc.tuple(hostState, texts, givers).map(([state, text, given]) => {
  const others = given
    .filter((layer) => layer.accountId !== state.accountId)
    .map((layer) => ({ ...layer, owner: false }));
  const layers = others.length === 0 ? [] : [...others, ownerLayer(state.accountId, text.labels, state.createdAt)];
  return { ...state, ...text, labels: labelsOf(layers, text.labels), layers };
});
const found = fc.option(storedHost, { nil: undefined, freq: 8 });

/** A change with its message and entry, so that all kinds of them can be tried alike. */
interface Step {
  readonly name: string;
  readonly reads: readonly HostPart[];
  readonly likely: string | undefined;
  fastPath(host: LikelyHost): SeenAgain<unknown> | undefined;
  decide(draft: HostDraft): unknown;
}

function steps<Message, Entry, Outcome>(
  change: NamedChange<Message, Entry, Outcome>,
  message: fc.Arbitrary<Message>,
  entry: fc.Arbitrary<Entry>,
): fc.Arbitrary<Step> {
  return fc.tuple(message, entry).map(([given, said]) => ({
    name: change.name,
    reads: change.reads,
    likely: change.likely?.(said),
    fastPath: (host) => change.glancing?.(given)(host),
    decide: (draft) => change.deciding(given)(draft, said),
  }));
}

const nothing = fc.constant(null);
const labelMessage = fc.record({
  ...by,
  account: writer,
  takeOver: fc.boolean(),
  runId: fc.option(run, { nil: null }),
});
const question = steps(previewLabels, labelMessage, labels);
const labelWrite = steps(saveLabels, labelMessage, labels);
const documents = fc.record({
  host: fc.tuple(hostState, texts).map(([state, text]) => ({ ...state, ...text, runId: null, layers: [] })),
  mode: fc.constantFrom('skip' as const, 'replace' as const),
  relations: fc.array(
    fc.record({ type: fc.constant('uses'), target: fc.constantFrom('a', 'b'), source: fc.constantFrom('x', 'y') }),
  ),
});
const step = fc.oneof(
  question,
  labelWrite,
  steps(
    contributeLabels,
    fc.record({ ...by, accountId: account, precedence: fc.integer({ min: -1, max: 1 }), runId: run }),
    labels,
  ),
  steps(
    withdrawContributions,
    fc.record({
      ...by,
      accountId: account,
      runId: fc.option(run, { nil: null }),
      seenBefore: fc.option(moment, { nil: null }),
    }),
    nothing,
  ),
  steps(saveSection, fc.record({ ...by, scope }), sections),
  steps(archive, fc.record({ ...by, by: reason, scope }), nothing),
  steps(archiveUnseen, fc.record({ ...by, accountId: account, runId: run, seenBefore: moment }), nothing),
  steps(archiveStale, fc.record({ ...by, accountId: fc.option(account, { nil: null }), seenBefore: moment }), nothing),
  steps(restore, fc.record({ ...by, scope }), nothing),
  steps(putDocument, fc.record(by), documents),
);

function draftOf(host: DraftHost | undefined): HostDraft {
  return new HostDraft('web01', host && { ...host }, { limit: LIMIT, weigh: sizeOf });
}

function sizeOf(host: DraftHost | undefined): number {
  if (host === undefined) return 0;
  const given = host.layers.length === 0 ? [host.labels] : host.layers.map((layer) => layer.labels);
  return [host.inventory, host.members, ...given].join('').length;
}

describe('what changes make of a host', () => {
  it('is all noted: the changes over the stored host are the host as it stands', () => {
    fc.assert(
      fc.property(storedHost, step, (host, { decide }) => {
        const draft = draftOf(host);
        decide(draft);
        expect({ ...host, ...draft.changes }).toEqual(draft.host);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('keeps the labels that a host shows in step with the layers below them', () => {
    fc.assert(
      fc.property(found, fc.array(step, { maxLength: 8 }), (host, given) => {
        const draft = draftOf(host);
        for (const { decide } of given) decide(draft);
        const { layers = [], labels: shown = '{}' } = draft.host ?? {};
        if (layers.length === 0) return;
        expect(layers.filter((layer) => layer.owner).map((layer) => layer.accountId)).toEqual([
          draft.host?.accountId ?? '',
        ]);
        expect(layers.some((layer) => !layer.owner)).toBe(true);
        const expected = Object.fromEntries(
          [...layeredLabels(layers)].map(([key, text]) => [`${key} `, JSON.parse(text)]),
        );
        const read = Object.fromEntries(Object.entries(JSON.parse(shown)).map(([key, value]) => [`${key} `, value]));
        expect(read).toEqual(expected);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('is the same whether a store decides several on one draft or writes and reads in between', () => {
    fc.assert(
      fc.property(found, fc.array(step, { maxLength: 6 }), (host, given) => {
        const draft = draftOf(host);
        const once = given.map(({ decide }) => decide(draft));
        let present = host;
        const history: unknown[] = [];
        const one = given.map(({ decide }) => {
          const next = draftOf(present);
          const outcome = decide(next);
          present = next.host;
          history.push(...next.history);
          return outcome;
        });
        expect(once).toEqual(one);
        expect(draft.host).toEqual(present);
        expect(draft.history).toEqual(history);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('never lets a host grow beyond the limit, but for whole records', () => {
    const small = step.filter(({ name }) => name !== 'putDocument');
    fc.assert(
      fc.property(found, fc.array(small, { maxLength: 8 }), (host, given) => {
        const draft = draftOf(host);
        for (const { decide } of given) decide(draft);
        expect(sizeOf(draft.host)).toBeLessThanOrEqual(Math.max(LIMIT, sizeOf(host)));
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('needs the parts that the change names and no other', () => {
    fc.assert(
      fc.property(storedHost, step, (host, { decide, reads }) => {
        const draft = draftOf(host);
        const outcome = decide(draft);
        const partly: Record<string, unknown> = { ...host };
        for (const part of ['labels', 'inventory', 'members', 'layers'] as const) {
          if (!reads.includes(part)) delete partly[part];
        }
        const other = new HostDraft('web01', partly as unknown as DraftHost, {
          limit: LIMIT,
          weigh: () => sizeOf(host),
        });
        expect(decide(other)).toEqual(outcome);
        expect(other.changes).toEqual(draft.changes);
      }),
    );
  });

  it('is decided again, and no otherwise, once a store has weighed a host that grows', () => {
    fc.assert(
      fc.property(storedHost, step, (host, { decide }) => {
        const light = new HostDraft('web01', { ...host }, { limit: LIMIT, weigh: () => undefined });
        const outcome = decide(light);
        const weighed = draftOf(host);
        if (light.unweighed) return;
        expect(decide(weighed)).toEqual(outcome);
      }),
    );
  });

  it('is seen by readers of active hosts only where it says so', () => {
    fc.assert(
      fc.property(storedHost, step, (host, { decide }) => {
        const draft = draftOf(host);
        decide(draft);
        if (draft.visible) return;
        const seen = ({ labels: shown, inventory, members, folder, accountId }: DraftHost) => [
          shown,
          inventory,
          members,
          folder,
          accountId,
        ];
        const wasActive = host.archive === null;
        expect(draft.host?.archive === null).toBe(wasActive);
        if (wasActive && draft.host !== undefined) expect(seen(draft.host)).toEqual(seen(host));
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('gives back the seat of each host that goes, once, and leaves no host a seat in the archive', () => {
    fc.assert(
      fc.property(storedHost, step, (host, { name, decide }) => {
        const draft = draftOf(host);
        decide(draft);
        const goes = name.startsWith('archive') && host.archive === null && draft.host?.archive !== null;
        expect(draft.effects.map((effect) => effect.subject)).toEqual(
          goes && host.folder !== null ? [host.folder] : [],
        );
        if (goes) expect(draft.host?.folder).toBeNull();
        expect(ruleChangesOf(draft.effects).map(({ type }) => type)).toEqual(
          draft.effects.length > 0 ? ['cmk_folder_pool'] : [],
        );
      }),
    );
  });

  it('is nothing after a question', () => {
    fc.assert(
      fc.property(found, question, (host, { decide }) => {
        const draft = draftOf(host);
        decide(draft);
        expect(draft.host).toEqual(host);
        expect([draft.changes, draft.history, draft.visible]).toEqual([{}, [], false]);
      }),
    );
  });

  it('may take labels that are the same to the letter for the ones that were written', () => {
    fc.assert(
      fc.property(storedHost, step, (host, { decide, likely }) => {
        fc.pre(host.layers.length === 0 && likely !== undefined);
        const same = { ...host, labels: likely as string };
        const draft = draftOf(same);
        decide(draft);
        expect(draft.host?.labels).toBe(likely);
        expect(draft.history.filter(({ kind }) => kind === 'labels')).toEqual([]);
      }),
    );
  });

  it('is the same by the short way, which is taken wherever a host is only seen', () => {
    fc.assert(
      fc.property(storedHost, labelWrite, (host, { decide, fastPath, likely = '{}' }) => {
        const draft = draftOf({ ...host, archive: null, labels: likely, layers: [] });
        const { accountId, lastSeen, runId } = host;
        const again = fastPath({ accountId, lastSeen, runId, archive: null });
        const outcome = decide(draft);
        const isSeen = Object.keys(draft.changes).sort().join() === 'lastSeen,runId';
        expect(again).toEqual(isSeen ? { ...draft.changes, outcome } : undefined);
        if (!isSeen) return;
        expect([draft.history, draft.effects, draft.visible, draft.unweighed]).toEqual([[], [], false, false]);
        expect([draft.relations, draft.createdBy]).toEqual([undefined, undefined]);
      }),
      { numRuns: runs(2_000) },
    );
  });
});
