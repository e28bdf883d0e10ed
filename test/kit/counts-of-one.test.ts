import { expect, it } from 'vitest';
import { TimeIsOver } from '../../src/adapters/http-client/deadline.ts';
import { importLogDetails } from '../../src/app/runs/import/log-details.ts';
import { type ImportReport, ImportTally, summaryWording } from '../../src/kit/summaries/import-summary.ts';
import { secondsWording } from '../../src/kit/worded.ts';
import { counted } from '../../src/kit/words/amounts.ts';
import { maintenanceJob } from '../../src/plugins/jobs/maintenance.ts';
import { markStaleJob } from '../../src/plugins/jobs/mark-stale.ts';
import type { JobRun, JobType, JsonValue } from '../../src/ports/index.ts';

/** A report in which everything that is left unnamed is one. */
function reportOfOnes(): ImportReport {
  const summary = { ...new ImportTally({}).summary(1), seen: 1, failed: 1 };
  return {
    ...{ status: 'done', message: '', cancelled: false, changesOnly: false, summary, archivedSample: [] },
    ...{ notWritten: [], notWrittenTotal: 1, gaps: [], gapsTotal: 1, unseen: { count: 0, sample: [] } },
    ...{
      refused: 0,
      withdrawn: 1,
      leftOut: 1,
      emptied: 1,
      renamed: 1,
      renamedSample: [],
      keyConflicts: [],
      keyConflictsTotal: 1,
    },
    ...{ warnings: [], warningsTotal: 1, relations: { added: 0, removed: 0 } },
  } as ImportReport;
}

async function said(job: JobType, answer: JsonValue): Promise<string> {
  const run = { account: 'a', operation: async () => answer } as unknown as JobRun;
  return (await job.run(run)).message;
}

it('what there is one of is not written as if there were several', async () => {
  const tally = { ...reportOfOnes().summary, created: 1, conflicts: 1 };
  expect(summaryWording(tally).text).toBe('1 record: 1 created, 1 conflict, 1 failed');
  expect(secondsWording(1).text).toBe('1 second');
  expect(secondsWording(30).text).toBe('30 seconds');
  expect(counted(1, 'entry', 'entries')).toBe('1 entry');
  expect(new TimeIsOver(1).message).toBe('not done after 1 second');
  expect(await said(markStaleJob, { days: 1, stale: 1 })).toMatch(/^1 host of a not seen for 1 day; /);
  expect(await said(markStaleJob, { days: 1, archived: 1 })).toBe('1 host archived');
  const held = { held_back: 1, stale: 1, purged: 0, logs: 1 };
  expect(await said(maintenanceJob, held)).toMatch(
    /^1 host is stale, .*; 1 stale host archived, 0 permanently deleted, 1 old entry pruned$/,
  );
});

it('nor in the log of an import', () => {
  const messages = importLogDetails(reportOfOnes(), new Date(0)).map(({ message }) => message);
  expect(messages.slice(1)).toEqual([
    'left out by options or processors: 1 record',
    'contributions removed from 1 host',
    'section emptied on 1 host that is no longer named',
    'renamed: 1 more host',
    '1 more key could not be used',
    '1 more warning',
    '1 more part of the source could not be read',
    '1 more record was not written',
  ]);
});
