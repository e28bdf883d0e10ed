import { describe, expect, it } from 'vitest';
import { equalTogether } from '../../../src/adapters/admin/pages/changes/equal-changes.ts';
import type { HostChange } from '../../../src/adapters/admin/pages/changes/search.ts';

const change = (hostname: string, after: string, more: Partial<HostChange> = {}): HostChange =>
  ({
    hostname,
    time: '2026-01-31T12:00:00Z',
    kind: 'labels',
    by: 'account:crm',
    changes: [{ path: 'labels.rack', before: 'R04', after }],
    ...more,
  }) as HostChange;

const names = (changes: readonly HostChange[]) =>
  equalTogether(changes).map((equal) => equal.map(({ hostname }) => hostname));

describe('changes of several hosts', () => {
  it('are shown together if they are equal', () => {
    expect(names([change('a', 'R94'), change('b', 'R95'), change('c', 'R94')])).toEqual([['a', 'c'], ['b']]);
  });

  it('are shown apart if another author made them, or much earlier, or if they say nothing', () => {
    expect(names([change('a', 'R94'), change('b', 'R94', { by: 'user:ada' })])).toEqual([['a'], ['b']]);
    expect(names([change('a', 'R94'), change('b', 'R94', { time: '2026-01-31T11:00:00Z' })])).toEqual([['a'], ['b']]);
    expect(names([change('a', '', { changes: [] }), change('b', '', { changes: [] })])).toEqual([['a'], ['b']]);
  });
});
