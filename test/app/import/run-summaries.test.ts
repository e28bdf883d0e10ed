import { expect, it } from 'vitest';
import { exportSummaryWording } from '../../../src/kit/summaries/export-summary.ts';
import { summaryWording } from '../../../src/kit/summaries/import-summary.ts';

it('summaries of imports and exports have separators between thousands', () => {
  const none = { updated: 0, archived: 0, conflicts: 0, skipped: 0, failed: 0, duration_ms: 1 };
  expect(summaryWording({ ...none, seen: 50_967, created: 50_000, unchanged: 967 }).text).toBe(
    '50,967 records: 50,000 created, 967 unchanged',
  );
  expect(exportSummaryWording({ seen: 1_200, written: 1_000, unchanged: 200, failed: 0, duration_ms: 1 }).text).toBe(
    '1,200 hosts: 1,000 written, 200 unchanged',
  );
});
