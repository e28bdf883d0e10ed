import { expect, it } from 'vitest';
import { endingOf } from '../../../src/adapters/admin/pages/accounts/outcome-titles.ts';
import { inWords } from '../../../src/adapters/admin/pages/changes/archive-change.ts';
import { changeRows } from '../../../src/adapters/admin/pages/parts/change-rows.ts';
import { undoingOf } from '../../../src/adapters/admin/pages/runs/undoing-of.ts';

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

it('the run that took an import back is the newest later one that names its end', () => {
  const run = { at: '2026-01-31T14:05:09Z' };
  const named = 'Import of dc undone: the run of 2026-01-31 14:05:09: 2 changes taken back';
  const first = { at: '2026-01-31T15:00:00Z', message: named };
  const again = { at: '2026-01-31T16:00:00Z', message: named };
  const other = { at: '2026-01-31T17:00:00Z', message: named.replace('14:05:09', '14:05:10') };
  expect(undoingOf(run, [other, again, first])).toBe(again);
  expect(undoingOf(run, [other])).toBeUndefined();
  expect(undoingOf(run, [{ ...first, at: '2026-01-30T00:00:00Z' }])).toBeUndefined();
});

it('changes in an object are as many lines as members that differ', () => {
  const change = {
    path: 'inventory.os',
    before: { name: 'debian', version: 12 },
    after: { name: 'debian', version: 13 },
  };
  expect(changeRows([change])).toEqual([{ path: 'inventory.os.version', before: 12, after: 13 }]);
});
