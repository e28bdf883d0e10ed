import { AppError } from '../../ports/index.ts';
import type { AnyOperation } from '../execution/operation.ts';
import { addAccount } from './accounts/add-account.ts';
import { deleteAccount } from './accounts/delete-account.ts';
import { getAccount } from './accounts/get-account.ts';
import { listAccountTypes } from './accounts/list-account-types.ts';
import { listAccounts } from './accounts/list-accounts.ts';
import { setAccount } from './accounts/set-account.ts';
import { showAccount } from './accounts/show-account.ts';
import { showAccounts } from './accounts/show-accounts.ts';
import { testAccount } from './accounts/test-account.ts';
import { listCronGroups } from './cron/list-groups.ts';
import { listCronJobs } from './cron/list-jobs.ts';
import { makeCronToken } from './cron/make-token.ts';
import { runCronPass } from './cron/run-pass.ts';
import { saveCronGroup } from './cron/save-group.ts';
import { setCronPolicy } from './cron/set-policy.ts';
import { setCronRunOnceNext } from './cron/set-run-once-next.ts';
import { showCronGroup } from './cron/show-group.ts';
import { showCronGroups } from './cron/show-groups.ts';
import { triggerCronGroup } from './cron/trigger-group.ts';
import { triggerCronWebhook } from './cron/trigger-webhook.ts';
import { exportAccount } from './exports/export-account.ts';
import { archiveHost } from './hosts/archive-host.ts';
import { deleteHost } from './hosts/delete-host.ts';
import { explainHost } from './hosts/explain-host.ts';
import { findHosts } from './hosts/find-hosts.ts';
import { getHost } from './hosts/get-host.ts';
import { hostCounters } from './hosts/host-counters.ts';
import { hostHistory } from './hosts/host-history.ts';
import { listHosts } from './hosts/list-hosts.ts';
import { markStale } from './hosts/mark-stale.ts';
import { restoreHost } from './hosts/restore-host.ts';
import { saveHost } from './hosts/save-host.ts';
import { saveHostsBulk } from './hosts/save-hosts-bulk.ts';
import { saveInventoriesBulk } from './hosts/save-inventories-bulk.ts';
import { saveInventory } from './hosts/save-inventory.ts';
import { showHost } from './hosts/show-host.ts';
import { importAccount } from './imports/import-account.ts';
import { browseInventory } from './inventory/browse-inventory.ts';
import { describeProviders } from './inventory/describe-providers.ts';
import { listProviders } from './inventory/list-providers.ts';
import { renderInventory } from './inventory/render-inventory.ts';
import { cancelPlaybookRun } from './playbooks/cancel-run.ts';
import { firePlaybooks } from './playbooks/fire-playbooks.ts';
import { listPlaybooks } from './playbooks/list-playbooks.ts';
import { listPlaybookRuns } from './playbooks/list-runs.ts';
import { runPlaybook } from './playbooks/run-playbook.ts';
import { showPlaybookRun } from './playbooks/show-run.ts';
import { addRelation } from './relations/add-relation.ts';
import { listRelations } from './relations/list-relations.ts';
import { removeRelation } from './relations/remove-relation.ts';
import { confirmRule } from './rules/confirm-rule.ts';
import { createRule } from './rules/create-rule.ts';
import { describeRuleTypes } from './rules/describe-rule-types.ts';
import { exportRules } from './rules/export-rules.ts';
import { findRules } from './rules/find-rules.ts';
import { importRules } from './rules/import-rules.ts';
import { importRulesOfType } from './rules/import-rules-of-type.ts';
import { importRulesText } from './rules/import-rules-text.ts';
import { listRuleTypes } from './rules/list-rule-types.ts';
import { listRules } from './rules/list-rules.ts';
import { listWaiting } from './rules/list-waiting.ts';
import { removeRule } from './rules/remove-rule.ts';
import { revertRule } from './rules/revert-rule.ts';
import { ruleFailures } from './rules/rule-failures.ts';
import { ruleHistory } from './rules/rule-history.ts';
import { rulesImpact } from './rules/rules-impact.ts';
import { runAutorules } from './rules/run-autorules.ts';
import { saveRule } from './rules/save-rule.ts';
import { showRule } from './rules/show-rule.ts';
import { tryRule } from './rules/try-rule.ts';
import { backUp } from './storage/back-up.ts';
import { checkStorage } from './storage/check-storage.ts';
import { migrateStorage } from './storage/migrate-storage.ts';
import { restoreBackup } from './storage/restore-backup.ts';
import { rotateKey } from './storage/rotate-key.ts';
import { getServiceLog } from './syncer/get-service-log.ts';
import { listAccountRuns } from './syncer/list-account-runs.ts';
import { listAudit } from './syncer/list-audit.ts';
import { listLogSources } from './syncer/list-log-sources.ts';
import { listLogs } from './syncer/list-logs.ts';
import { searchLogs } from './syncer/search-logs.ts';
import { listPlugins } from './system/list-plugins.ts';
import { runDoctor } from './system/run-doctor.ts';
import { runMaintenance } from './system/run-maintenance.ts';
import { showConfig } from './system/show-config.ts';
import { addUser } from './users/add-user.ts';
import { changeOwnPassword } from './users/change-own-password.ts';
import { changeUser } from './users/change-user.ts';
import { createToken } from './users/create-token.ts';
import { deleteUser } from './users/delete-user.ts';
import { endOwnSessions } from './users/end-own-sessions.ts';
import { endSessions } from './users/end-sessions.ts';
import { listOwnSessions } from './users/list-own-sessions.ts';
import { listSessions } from './users/list-sessions.ts';
import { listTokens } from './users/list-tokens.ts';
import { listUsers } from './users/list-users.ts';
import { revokeToken } from './users/revoke-token.ts';
import { showUser } from './users/show-user.ts';

/** Every operation there is. A test compares this list with the folders. */
export const OPERATIONS: readonly AnyOperation[] = [
  addAccount,
  addRelation,
  addUser,
  archiveHost,
  backUp,
  browseInventory,
  cancelPlaybookRun,
  changeOwnPassword,
  changeUser,
  checkStorage,
  createRule,
  createToken,
  deleteAccount,
  deleteHost,
  deleteUser,
  describeProviders,
  describeRuleTypes,
  explainHost,
  exportAccount,
  exportRules,
  findHosts,
  findRules,
  firePlaybooks,
  getAccount,
  getHost,
  getServiceLog,
  hostCounters,
  hostHistory,
  importAccount,
  importRules,
  importRulesOfType,
  importRulesText,
  listAccountRuns,
  listAccounts,
  listAccountTypes,
  listAudit,
  listCronGroups,
  listCronJobs,
  listHosts,
  listLogSources,
  listLogs,
  listPlaybookRuns,
  listPlaybooks,
  listPlugins,
  listProviders,
  listRelations,
  listRuleTypes,
  listRules,
  listTokens,
  listSessions,
  endSessions,
  listOwnSessions,
  endOwnSessions,
  listUsers,
  makeCronToken,
  markStale,
  migrateStorage,
  removeRelation,
  removeRule,
  renderInventory,
  restoreBackup,
  restoreHost,
  revertRule,
  revokeToken,
  rotateKey,
  ruleFailures,
  ruleHistory,
  confirmRule,
  listWaiting,
  rulesImpact,
  runAutorules,
  runCronPass,
  runDoctor,
  runMaintenance,
  runPlaybook,
  saveCronGroup,
  saveHost,
  saveHostsBulk,
  saveInventoriesBulk,
  saveInventory,
  saveRule,
  showHost,
  searchLogs,
  setAccount,
  setCronPolicy,
  setCronRunOnceNext,
  showCronGroup,
  showCronGroups,
  showAccount,
  showAccounts,
  showConfig,
  showPlaybookRun,
  showRule,
  showUser,
  testAccount,
  triggerCronGroup,
  triggerCronWebhook,
  tryRule,
] as unknown as readonly AnyOperation[];

const byName = new Map(OPERATIONS.map((operation) => [operation.name, operation]));

/** The operation of that name, where the name comes from elsewhere and may be wrong. */
export function operationNamed(name: string): AnyOperation | undefined {
  return byName.get(name);
}

/** The operation of a name that is known to be right. */
export function findOperation(name: string): AnyOperation {
  const operation = operationNamed(name);
  if (operation === undefined) throw new AppError('internal', `there is no operation ${name}`);
  return operation;
}
