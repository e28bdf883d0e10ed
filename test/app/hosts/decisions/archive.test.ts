import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { archiveChange, archiving, isStale } from '../../../../src/app/hosts/decisions/archive.ts';
import { inScope, isActive, isArchived, scopeTest } from '../../../../src/app/hosts/decisions/scope.ts';
import { account, hostState, moment, reason, scope } from './host-states.ts';

describe('whom a caller reaches', () => {
  it('is one question for one host and for many', () => {
    fc.assert(
      fc.property(hostState, scope, ({ accountId }, given) => {
        const reached = given === null || given.some((id) => id === accountId);
        expect(inScope(accountId, given)).toBe(reached);
        expect(scopeTest(given)(accountId)).toBe(reached);
      }),
    );
  });

  it('is either an active or an archived host, or none', () => {
    fc.assert(
      fc.property(fc.option(hostState, { nil: undefined }), scope, (host, given) => {
        const reaches = scopeTest(given);
        const reached = host !== undefined && inScope(host.accountId, given);
        expect([isActive(host, reaches), isArchived(host, reaches)]).toEqual([
          reached && host.archive === null,
          reached && host.archive !== null,
        ]);
      }),
    );
  });
});

describe('archiving', () => {
  it('notes time and reason, gives back the seat of the folder that the host held, and tells the history', () => {
    fc.assert(
      fc.property(hostState, moment, reason, (host, at, by) => {
        expect(archiving(host, { at: new Date(at), by })).toEqual({
          archive: { at, by },
          seatBack: host.folder,
          remembered: {
            kind: 'archived',
            changes: [{ path: 'archive', after: { at: `1970-01-01T00:00:00.00${at}Z`, by } }],
          },
        });
      }),
    );
  });

  it('is told the other way round when the host comes back', () => {
    expect(archiveChange({ at: 0, by: 'stale' }, null)).toEqual({
      kind: 'restored',
      changes: [{ path: 'archive', before: { at: '1970-01-01T00:00:00.000Z', by: 'stale' } }],
    });
  });
});

it('is stale what was active, a host, of the account, and not seen since', () => {
  const limits = fc.record({ seenBefore: moment, accountId: fc.option(account, { nil: null }) });
  fc.assert(
    fc.property(hostState, limits, (host, { seenBefore, accountId }) => {
      const sights = host.lastSeen === null ? [host.createdAt] : [host.lastSeen];
      const isOld = sights.every((at) => at < seenBefore);
      const isMeant = [null, host.accountId].includes(accountId);
      expect(isStale(host, { seenBefore, accountId })).toBe(isOld && isMeant && !host.isObject && !host.archive);
    }),
  );
});
