import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ContributionDecision,
  contributionDecision,
  isWithdrawn,
} from '../../../../src/app/hosts/decisions/contribution.ts';
import {
  type HostLayer,
  isCovered,
  labelsOf,
  ownerLayer,
  shownChange,
} from '../../../../src/app/hosts/decisions/label-layers.ts';
import { account, hostState, moment, run } from './host-states.ts';

const KEYS = ['os', 'site', '1', '__proto__'];
const labels = fc
  .dictionary(fc.constantFrom(...KEYS), fc.constantFrom('a', 1, null), { noNullPrototype: true })
  .map((value) => JSON.stringify(value));
const layer: fc.Arbitrary<HostLayer> = fc.record({
  accountId: account,
  precedence: fc.integer({ min: -1, max: 1 }),
  owner: fc.boolean(),
  labels,
  at: moment,
  runId: fc.option(run, { nil: null }),
});
const layers = fc.uniqueArray(layer, { selector: ({ accountId }) => accountId });

describe('what an account gives a host', () => {
  const writes = fc.record({
    accountId: account,
    precedence: fc.integer({ min: -1, max: 1 }),
    at: moment.map((at) => new Date(at)),
    runId: run,
    labels,
  });
  const stored = fc.record({ own: labels, given: fc.option(layer, { nil: undefined }), tooLarge: fc.boolean() });

  it('is decided by who owns the host, which run gave last, size, precedence and labels', () => {
    fc.assert(
      fc.property(hostState, writes, stored, (host, write, { own, given, tooLarge }) => {
        const isOwner = host.accountId === write.accountId;
        const before = isOwner ? { runId: host.runId, labels: own, precedence: write.precedence } : given;
        const isSame = before?.precedence === write.precedence && sorted(before.labels) === sorted(write.labels);
        let outcome: ContributionDecision['outcome'] = 'updated';
        if (isSame) outcome = 'unchanged';
        // The owner's size counts first, as in a write of labels; a contribution that stays as it is has no size to weigh.
        if (tooLarge && (isOwner || !isSame)) outcome = 'too_large';
        if (before?.runId === write.runId) outcome = 'duplicate';
        if (host.archive !== null) outcome = 'not_found';
        const decision = contributionDecision(host, write, write.labels, {
          given: () => given,
          own: () => own,
          tooLarge: () => tooLarge,
        });
        const writesIt = outcome === 'updated' || outcome === 'unchanged';
        const at = isOwner ? write.at.getTime() : Math.max(write.at.getTime(), given?.at ?? 0);
        const gives = { as: isOwner ? 'owner' : 'contributor', at };
        expect(decision).toEqual(writesIt ? { outcome, gives } : { outcome });
      }),
      { numRuns: 2_000 },
    );
  });

  it('is taken back where a run did not give it again, on active hosts, and wholly without a run', () => {
    const withdrawals = fc.record({
      runId: fc.option(run, { nil: null }),
      seenBefore: fc.option(moment, { nil: null }),
    });
    fc.assert(
      fc.property(hostState, fc.option(layer, { nil: undefined }), withdrawals, (host, given, withdrawal) => {
        const isOld = withdrawal.seenBefore === null || (given?.at ?? 0) < withdrawal.seenBefore;
        const isMeant = withdrawal.runId === null || (host.archive === null && given?.runId !== withdrawal.runId);
        expect(isWithdrawn(host, given, withdrawal)).toBe(given?.owner === false && isOld && isMeant);
      }),
    );
  });
});

describe('what a host shows', () => {
  it('is for each label what the layer of the highest precedence says, or what the owner gives', () => {
    fc.assert(
      fc.property(layers, labels, (given, own) => {
        const shown = new Map(Object.entries(JSON.parse(labelsOf(given, own)) as object));
        const beats = (a: HostLayer, b: HostLayer) =>
          a.precedence > b.precedence || (a.precedence === b.precedence && a.accountId > b.accountId);
        for (const key of KEYS) {
          const holders = given.filter((item) => Object.hasOwn(JSON.parse(item.labels), key));
          const winner = holders.find((item) => holders.every((other) => other === item || beats(item, other)));
          const source = isCovered(given) ? (winner?.labels ?? '{}') : own;
          expect(shown.get(key)).toBe(new Map(Object.entries(JSON.parse(source) as object)).get(key));
        }
      }),
    );
  });

  it('is told to the history only when consumers see a difference', () => {
    fc.assert(
      fc.property(labels, labels, (before, after) => {
        expect(shownChange(before, after) === undefined).toBe(sorted(before) === sorted(after));
      }),
    );
  });

  it('comes from the owner below the others', () => {
    expect(ownerLayer(null, '{}', 3)).toEqual({
      accountId: '',
      precedence: 0,
      owner: true,
      labels: '{}',
      at: 3,
      runId: null,
    });
  });
});

/** The members of flat labels in one order. */
function sorted(text: string): string {
  return JSON.stringify(Object.entries(JSON.parse(text) as object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
