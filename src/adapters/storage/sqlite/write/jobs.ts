import { beginActiveRun, cancelActiveRun, endActiveRun, keepActiveRun } from './active-runs.ts';
import { appendAudit, noteForwardedAudit, pruneLinkedAudit, pruneUnlinkedAudit } from './audit.ts';
import { changeNamedHosts } from './change-hosts.ts';
import { addComment, removeComment } from './comments.ts';
import { claimGroup, finishGroup, keepGroup, releaseGroup, retainGroups } from './cron-states.ts';
import { keepHostCounts, pruneHostCounts } from './host-counts.ts';
import { appendLog, pruneHistory, pruneLogs, recordTokenUse, useOnce } from './journals.ts';
import { clearMarks, putKeys, putMarks, removeKeys, removeMarks } from './marks.ts';
import { claimOutbox, pruneOutbox, putOutbox, retryOutbox, settleOutbox } from './outbox.ts';
import { clearOwnership, removeOwnership, saveOwnership } from './ownership.ts';
import {
  appendPlanEntries,
  approvePlan,
  beginPlan,
  claimPlan,
  discardPlan,
  finishPlan,
  keepPlan,
  notePlanOutcomes,
  prunePlans,
  releasePlan,
  removePlan,
  settlePlan,
  takeBackPlan,
} from './plans.ts';
import {
  beginPlaybookRun,
  endPlaybookRun,
  forgetPlaybookMatches,
  keepPlaybookRun,
  prunePlaybookRuns,
  rememberPlaybookMatch,
  requestPlaybookCancel,
} from './playbooks.ts';
import { replacePublished } from './published.ts';
import { purgeArchived, purgeNamed } from './purge.ts';
import { addRelation, nameRelations, pruneRelations, removeRelation } from './relations.ts';
import { renameHosts } from './renames.ts';
import { repairCounters } from './repair.ts';
import { confirmRule, pruneVersions, removeRule, replaceRule, rewriteVersions, writeRules } from './rules.ts';
import {
  askOfSession,
  beginSession,
  confirmSession,
  confirmUser,
  countSessionFailure,
  endSession,
  endSessionsOfLogin,
  endSessionsOfUser,
  pruneSessions,
  seeSession,
  withdrawSignIn,
} from './sessions.ts';
import { sweepStale, sweepUnseen, withdraw } from './sweeps.ts';
import { clearEverything, writeTransfer } from './transfer.ts';

/** Every write there is. Each runs to its end inside a transaction of the writer thread. */
export const jobs = {
  changeHosts: changeNamedHosts,
  withdrawContributions: withdraw,
  archiveUnseen: sweepUnseen,
  archiveStale: sweepStale,
  purgeArchived,
  purgeNamed,
  renameHosts,
  addRelation,
  removeRelation,
  nameRelations,
  pruneRelations,
  putMarks,
  removeMarks,
  putKeys,
  removeKeys,
  clearMarks,
  writeRules,
  replaceRule,
  confirmRule,
  removeRule,
  rewriteVersions,
  pruneVersions,
  appendLog,
  pruneLogs,
  appendAudit,
  pruneUnlinkedAudit,
  pruneLinkedAudit,
  noteForwardedAudit,
  pruneHistory,
  recordTokenUse,
  useOnce,
  beginSession,
  askOfSession,
  confirmSession,
  endSessionsOfLogin,
  confirmUser,
  withdrawSignIn,
  seeSession,
  countSessionFailure,
  endSession,
  endSessionsOfUser,
  pruneSessions,
  claimGroup,
  keepGroup,
  finishGroup,
  releaseGroup,
  retainGroups,
  putOutbox,
  claimOutbox,
  settleOutbox,
  retryOutbox,
  pruneOutbox,
  beginActiveRun,
  keepActiveRun,
  endActiveRun,
  cancelActiveRun,
  addComment,
  removeComment,
  beginPlaybookRun,
  keepPlaybookRun,
  endPlaybookRun,
  requestPlaybookCancel,
  prunePlaybookRuns,
  rememberPlaybookMatch,
  forgetPlaybookMatches,
  beginPlan,
  appendPlanEntries,
  settlePlan,
  takeBackPlan,
  approvePlan,
  claimPlan,
  keepPlan,
  notePlanOutcomes,
  finishPlan,
  releasePlan,
  discardPlan,
  removePlan,
  prunePlans,
  saveOwnership,
  removeOwnership,
  clearOwnership,
  replacePublished,
  keepHostCounts,
  pruneHostCounts,
  repairCounters,
  writeTransfer,
  clearEverything,
};

export type Jobs = typeof jobs;
