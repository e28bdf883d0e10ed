import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AppliedEntry,
  ownedAfter,
  ownedBefore,
  remoteAfter,
} from '../../../src/app/exports/plans/decisions/applied-entries.ts';
import { changeOf } from '../../../src/app/exports/plans/decisions/entry-change.ts';
import type { ChangeOutcome, PlanAction, PlanEntry, TargetKind } from '../../../src/ports/index.ts';

const KIND: TargetKind = { id: 'server', title: 'Servers', fields: { site: {}, note: {} } };
const remembering = { kinds: new Map([[KIND.id, KIND]]), writtenAt: new Date('2026-05-01T00:00:00Z') };

const outcomes = fc.oneof(
  fc.record({ done: fc.constant(true as const), id: fc.option(fc.constant('17'), { nil: undefined }) }),
  fc.record({
    done: fc.constant(false as const),
    code: fc.constantFrom('refused', 'changed', 'gone', 'exists', 'unknown', 'in_the_way'),
    reason: fc.constant('says why'),
    id: fc.option(fc.constant('17'), { nil: undefined }),
  }),
) as fc.Arbitrary<ChangeOutcome>;

const applied = fc
  .record({
    action: fc.constantFrom<PlanAction>('create', 'update', 'move', 'delete', 'adopt'),
    isRetired: fc.boolean(),
    outcome: outcomes,
  })
  .map(({ action, isRetired, outcome }): AppliedEntry => {
    const isThere = action !== 'create';
    const entry: PlanEntry = {
      number: 1,
      kind: 'server',
      key: 'web01',
      previousKey: action === 'move' ? 'web00' : null,
      hostname: 'web01',
      action,
      reason: '',
      fields: action === 'delete' && !isRetired ? [] : [{ name: 'site', before: 'fra', after: 'ber' }],
      after: [],
      remote: isThere ? { id: '17', etag: null, digest: 'of the plan' } : null,
      digest: 'of the fields',
      secrets: '',
      rule: null,
      drift: false,
      outcome: null,
    };
    const remote = isThere ? { id: '17', owner: 'us' as const, fields: { site: 'fra' }, etag: null } : undefined;
    return { entry, change: changeOf(entry, remote, {}), outcome };
  });

describe('what is remembered of applied entries', () => {
  it('keeps what was or may have been made, and nothing else', () => {
    fc.assert(
      fc.property(applied, (one) => {
        const before = ownedBefore([one.entry], remembering);
        const { saved, removed } = ownedAfter([one], remembering);
        const ours = new Map(before.map((owned) => [owned.key, owned]));
        for (const owned of saved) ours.set(owned.key, owned);
        for (const { key } of removed) ours.delete(key);
        const { entry, outcome } = one;
        const isNew = entry.action === 'create' || entry.action === 'adopt';
        const isGone = entry.action === 'delete' && entry.fields.length === 0;
        const mayBeMade = outcome.done || outcome.code === 'unknown' || (entry.action === 'create' && outcome.id);
        if (isNew) expect(ours.has('web01')).toBe(Boolean(mayBeMade));
        if (isGone) expect(removed).toEqual(outcome.done ? [{ kind: 'server', key: 'web01' }] : []);
        if (!outcome.done && !isNew) expect([saved, removed]).toEqual([[], []]);
        if (entry.action === 'move' && outcome.done) expect(removed).toEqual([{ kind: 'server', key: 'web00' }]);
      }),
    );
  });

  it('knows an object whose call was not answered by the fields that were written', () => {
    fc.assert(
      fc.property(applied, (one) => {
        const [owned] = ownedBefore([one.entry], remembering);
        if (owned !== undefined) expect(owned.pending).toEqual(['site']);
      }),
    );
  });

  it('moves, adds and takes away what later entries find, and nothing that was refused', () => {
    fc.assert(
      fc.property(applied, (one) => {
        const { removed, put } = remoteAfter([one]);
        const { entry, outcome } = one;
        if (!outcome.done) expect([removed, put]).toEqual([[], []]);
        else if (entry.action === 'move') expect(removed).toEqual([{ kind: 'server', key: 'web00' }]);
        const isGone = entry.action === 'delete' && entry.fields.length === 0;
        if (outcome.done && isGone) expect([removed.length, put.length]).toEqual([1, 0]);
        for (const { remote } of put) expect(remote.fields).toMatchObject({ site: 'ber' });
      }),
    );
  });
});
