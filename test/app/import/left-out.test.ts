import { expect, it } from 'vitest';
import { ImportTally, leftOutWording } from '../../../src/kit/summaries/import-summary.ts';

it('names each reason for which records were left out, once, also one that is part of another', () => {
  const tally = new ImportTally();
  expect(leftOutWording(tally)).toEqual([]);
  const reasons = ['left out by processor rack-names', 'left out by processor rack', 'left out by processor rack'];
  for (const reason of reasons) tally.leaveOut({ kind: 'left_out', count: 2, reason });
  expect(leftOutWording(tally)[0]?.text).toBe(
    '6 records left out by processor rack-names or left out by processor rack',
  );
});
