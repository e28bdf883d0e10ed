import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { archiveChange, archiving, isStale } from '../../../../src/app/hosts/decisions/archive.ts';
import { inScope, isActive, isArchived, scopeTest } from '../../../../src/app/hosts/decisions/scope.ts';
import { templatesOf } from '../../../../src/kit/document/templates.ts';
import { StoredJson } from '../../../../src/ports/index.ts';
import { account, hostState, members, moment, reason, scope, TEMPLATES_OF } from './host-states.ts';

const placed = fc.tuple(hostState, members).map(([host, text]) => ({ ...host, members: text }));

describe('whom a caller reaches', () => {
  it('is one question for one host and for many', () => {
    fc.assert(
      fc.property(placed, scope, ({ accountId, members: text }, given) => {
        const { accounts = null, templates = null } = given ?? {};
        const reached =
          (accounts === null || accounts.some((id) => id === accountId)) &&
          (templates === null || templates.some((template) => TEMPLATES_OF[text]?.includes(template)));
        expect(inScope({ accountId, members: StoredJson.ofText(text) }, given)).toBe(reached);
        expect(scopeTest(given)({ accountId, members: text })).toBe(reached);
      }),
    );
  });

  it('goes by the templates that a host names itself, by name or id', () => {
    for (const [text, templates] of Object.entries(TEMPLATES_OF)) expect(templatesOf(text)).toEqual(templates);
    expect(templatesOf('{"note":"cmdb_templates","a":{"cmdb_templates":["linux"]}}')).toEqual([]);
    expect(templatesOf('{"cmdb_templates":["",7,null,{"$oid":7},{"id":"x"},["linux"]]}')).toEqual([]);
  });

  it('is either an active or an archived host, or none', () => {
    fc.assert(
      fc.property(fc.option(placed, { nil: undefined }), scope, (host, given) => {
        const reaches = scopeTest(given);
        const reached = host !== undefined && reaches(host);
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
