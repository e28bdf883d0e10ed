import type { RecordParts, RecordStore, Storage, Store } from '../../../ports/index.ts';
import { recordedAccess } from './access.ts';
import { recordedActiveRuns } from './active-runs.ts';
import { recordedAudit } from './audit.ts';
import { recordedComments } from './comments.ts';
import { recordedCron } from './cron-states.ts';
import { recordedHostCounts } from './host-counts.ts';
import { recordedLogs } from './logs.ts';
import { recordedOutbox } from './outbox.ts';
import { recordedOwnership } from './ownership.ts';
import { recordedPlans } from './plans.ts';
import { recordedPlaybooks } from './playbooks.ts';
import { recordedPublished } from './published.ts';
import { recordedSessions, recordedSignIns } from './sessions.ts';
import { recordedWork } from './work.ts';

/** Everything of a storage over what a database does. */
export function storageOf(store: Store): Storage {
  const { records, ...own } = store;
  return { ...own, ...recordStores(() => records) };
}

function recordStores(records: () => RecordStore): RecordParts {
  return {
    logs: recordedLogs(records),
    audit: recordedAudit(records),
    access: recordedAccess(records),
    comments: recordedComments(records),
    sessions: recordedSessions(records),
    signIns: recordedSignIns(records),
    cron: recordedCron(records),
    activeRuns: recordedActiveRuns(records),
    work: recordedWork(records),
    outbox: recordedOutbox(records),
    playbooks: recordedPlaybooks(records),
    plans: recordedPlans(records),
    ownership: recordedOwnership(records),
    published: recordedPublished(records),
    hostCounts: recordedHostCounts(records),
  };
}
