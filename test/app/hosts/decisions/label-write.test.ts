import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { HostState } from '../../../../src/app/hosts/decisions/host-state.ts';
import {
  type LabelDecision,
  type LabelLookup,
  labelDecision,
  labelOutcome,
} from '../../../../src/app/hosts/decisions/label-write.ts';
import { account, hostState, moment, run } from './host-states.ts';

interface Write {
  readonly accountId: string;
  readonly takeOver: boolean;
  readonly runId: string | null;
  readonly at: number;
}

interface Texts {
  readonly tooLarge: boolean;
  readonly same: boolean;
}

const writes: fc.Arbitrary<Write> = fc.record({
  accountId: account,
  takeOver: fc.boolean(),
  runId: fc.option(run, { nil: null }),
  at: moment,
});
const texts: fc.Arbitrary<Texts> = fc.record({ tooLarge: fc.boolean(), same: fc.boolean() });
const found = fc.option(hostState, { nil: undefined, freq: 8 });

function decide(host: HostState | undefined, { accountId, at, ...write }: Write, given: Texts): LabelDecision {
  return labelDecision(host, { ...write, account: accountOf(accountId), at: new Date(at) }, lookUp(given));
}

function accountOf(id: string) {
  return { id, isObject: false, objectType: 'host' };
}

function lookUp({ tooLarge, same }: Texts): LabelLookup {
  return { tooLarge: () => tooLarge, same: () => same };
}

/** The sentences of `LabelOutcome`, one after the other. */
function expectedOutcome(host: HostState | undefined, write: Write, given: Texts): LabelDecision['outcome'] {
  if (host === undefined) return given.tooLarge ? 'too_large' : 'created';
  if (write.runId !== null && write.runId === host.runId) return 'duplicate';
  const isOwn = host.accountId === write.accountId;
  const isFree = host.accountId === null;
  const isTaken = write.takeOver && host.archive === null;
  if (!isOwn && !isFree && !isTaken) return 'account_conflict';
  if (host.archive?.by === 'operator') return 'archived';
  if (given.tooLarge) return 'too_large';
  return isOwn && host.archive === null && given.same ? 'unchanged' : 'updated';
}

it('answers what the port promises', () => {
  fc.assert(
    fc.property(found, writes, texts, (host, write, given) => {
      expect(decide(host, write, given).outcome).toBe(expectedOutcome(host, write, given));
    }),
    { numRuns: 2_000 },
  );
});

it('leaves alone what it does not write, and tells otherwise when, by which run and what moves', () => {
  fc.assert(
    fc.property(found, writes, texts, (host, write, given) => {
      const { outcome, change } = decide(host, write, given);
      if (['duplicate', 'account_conflict', 'archived', 'too_large'].includes(outcome)) {
        expect(change).toBeUndefined();
        return;
      }
      expect(change).toMatchObject({
        at: Math.max(write.at, host?.lastSeen ?? write.at),
        runId: write.runId ?? host?.runId ?? null,
        comesBack: host !== undefined && host.archive !== null,
        changesOwner: host?.accountId !== write.accountId,
      });
      const kinds = change?.remembered.map(({ kind }) => kind);
      const back = host?.archive != null ? ['restored'] : [];
      const moved = host !== undefined && host.accountId !== write.accountId ? ['account'] : [];
      expect(kinds).toEqual([...back, ...moved]);
      if (outcome === 'unchanged') expect(kinds).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

it('never moves a sight back, whatever the order in which writes arrive', () => {
  fc.assert(
    fc.property(fc.array(moment, { minLength: 1 }), (moments) => {
      let host: HostState | undefined;
      for (const at of moments) {
        const write = { accountId: 'red', takeOver: false, runId: null, at };
        const { change } = decide(host, write, { tooLarge: false, same: true });
        const lastSeen = change?.at ?? Number.NaN;
        host = { accountId: 'red', isObject: false, archive: null, folder: null, createdAt: at, lastSeen, runId: null };
      }
      expect(host?.lastSeen).toBe(Math.max(...moments));
    }),
  );
});

it('previews what a write would answer, but for the run', () => {
  fc.assert(
    fc.property(found, writes, texts, (host, write, given) => {
      const preview = labelOutcome(host, { ...write, account: accountOf(write.accountId) }, lookUp(given));
      expect(preview).toBe(decide(host, { ...write, runId: null }, given).outcome);
    }),
  );
});

it('asks for texts only where something depends on them', () => {
  const untouched: LabelLookup = {
    tooLarge: () => expect.fail('asked for the size'),
    same: () => expect.fail('asked for the labels'),
  };
  fc.assert(
    fc.property(hostState, writes, (host, write) => {
      const request = { ...write, account: accountOf(write.accountId), at: new Date(write.at) };
      const needed = ['unchanged', 'updated', 'too_large'];
      const outcome = expectedOutcome(host, write, { tooLarge: false, same: false });
      if (!needed.includes(outcome)) expect(labelDecision(host, request, untouched).outcome).toBe(outcome);
    }),
  );
});
