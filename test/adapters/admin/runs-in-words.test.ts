import { expect, it } from 'vitest';
import { endingOf } from '../../../src/adapters/admin/pages/accounts/outcome-titles.ts';
import { inWords } from '../../../src/adapters/admin/pages/changes/archive-change.ts';
import { changeRows } from '../../../src/adapters/admin/pages/parts/change-rows.ts';

it('a run that was stopped is none that failed', () => {
  expect(endingOf({ status: 'failed', cancelled: true })).toBe('cancelled');
  expect(endingOf({ status: 'failed', cancelled: false })).toBe('failed');
  expect(endingOf({ status: 'done', cancelled: false })).toBe('done');
});

it('what a host was archived by is said in words, and other values stay as they are', () => {
  const archived = { path: 'archive', after: { at: '2026-01-31T14:05:09Z', by: 'import' } };
  const label = { path: 'labels.archive', before: { at: 'x', by: 'import' } };
  const stale = { path: 'archive', before: { at: '2026-01-31T14:05:09Z', by: 'stale' } };
  expect(inWords([archived, label, stale], 'utc')).toEqual([
    { path: 'archive', after: 'archived by the import, 2026-01-31 14:05:09' },
    label,
    { path: 'archive', before: 'archived (not seen for too long), 2026-01-31 14:05:09' },
  ]);
  const unknown = { path: 'archive', after: { at: 'soon', by: 'import' } };
  expect(inWords([unknown], 'utc')).toEqual([unknown]);
});

it('changes in an object are as many lines as members that differ', () => {
  const change = {
    path: 'inventory.os',
    before: { name: 'debian', version: 12 },
    after: { name: 'debian', version: 13 },
  };
  expect(changeRows([change])).toEqual([{ path: 'inventory.os.version', before: 12, after: 13 }]);
});
