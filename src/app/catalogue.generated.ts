import type { AnyOperation } from './execution/operation.ts';
import { addAccount } from './operations/accounts/add-account.ts';
import { deleteAccount } from './operations/accounts/delete-account.ts';
import { getAccount } from './operations/accounts/get-account.ts';
import { listAccountTypes } from './operations/accounts/list-account-types.ts';
import { listAccounts } from './operations/accounts/list-accounts.ts';
import { setAccount } from './operations/accounts/set-account.ts';
import { showAccount } from './operations/accounts/show-account.ts';
import { showAccounts } from './operations/accounts/show-accounts.ts';
import { testAccount } from './operations/accounts/test-account.ts';
import { listCronGroups } from './operations/cron/list-groups.ts';
import { listCronJobs } from './operations/cron/list-jobs.ts';
import { makeCronToken } from './operations/cron/make-token.ts';
import { runCronPass } from './operations/cron/run-pass.ts';
import { saveCronGroup } from './operations/cron/save-group.ts';
import { setCronPolicy } from './operations/cron/set-policy.ts';
import { setCronRunOnceNext } from './operations/cron/set-run-once-next.ts';
import { showCronGroup } from './operations/cron/show-group.ts';
import { showCronGroups } from './operations/cron/show-groups.ts';
import { triggerCronGroup } from './operations/cron/trigger-group.ts';
import { triggerCronWebhook } from './operations/cron/trigger-webhook.ts';
import { exportAccount } from './operations/exports/export-account.ts';
import { archiveHost } from './operations/hosts/archive-host.ts';
import { deleteHost } from './operations/hosts/delete-host.ts';
import { explainHost } from './operations/hosts/explain-host.ts';
import { findHosts } from './operations/hosts/find-hosts.ts';
import { getHost } from './operations/hosts/get-host.ts';
import { hostCounters } from './operations/hosts/host-counters.ts';
import { hostHistory } from './operations/hosts/host-history.ts';
import { listHosts } from './operations/hosts/list-hosts.ts';
import { markStale } from './operations/hosts/mark-stale.ts';
import { restoreHost } from './operations/hosts/restore-host.ts';
import { saveHost } from './operations/hosts/save-host.ts';
import { saveHostsBulk } from './operations/hosts/save-hosts-bulk.ts';
import { saveInventoriesBulk } from './operations/hosts/save-inventories-bulk.ts';
import { saveInventory } from './operations/hosts/save-inventory.ts';
import { showHost } from './operations/hosts/show-host.ts';
import { importAccount } from './operations/imports/import-account.ts';
import { browseInventory } from './operations/inventory/browse-inventory.ts';
import { describeProviders } from './operations/inventory/describe-providers.ts';
import { listProviders } from './operations/inventory/list-providers.ts';
import { renderInventory } from './operations/inventory/render-inventory.ts';
import { cancelPlaybookRun } from './operations/playbooks/cancel-run.ts';
import { firePlaybooks } from './operations/playbooks/fire-playbooks.ts';
import { listPlaybooks } from './operations/playbooks/list-playbooks.ts';
import { listPlaybookRuns } from './operations/playbooks/list-runs.ts';
import { runPlaybook } from './operations/playbooks/run-playbook.ts';
import { showPlaybookRun } from './operations/playbooks/show-run.ts';
import { addRelation } from './operations/relations/add-relation.ts';
import { listRelations } from './operations/relations/list-relations.ts';
import { removeRelation } from './operations/relations/remove-relation.ts';
import { confirmRule } from './operations/rules/confirm-rule.ts';
import { createRule } from './operations/rules/create-rule.ts';
import { describeRuleTypes } from './operations/rules/describe-rule-types.ts';
import { exportRules } from './operations/rules/export-rules.ts';
import { findRules } from './operations/rules/find-rules.ts';
import { importRules } from './operations/rules/import-rules.ts';
import { importRulesOfType } from './operations/rules/import-rules-of-type.ts';
import { importRulesText } from './operations/rules/import-rules-text.ts';
import { listRuleTypes } from './operations/rules/list-rule-types.ts';
import { listRules } from './operations/rules/list-rules.ts';
import { listWaiting } from './operations/rules/list-waiting.ts';
import { removeRule } from './operations/rules/remove-rule.ts';
import { revertRule } from './operations/rules/revert-rule.ts';
import { ruleFailures } from './operations/rules/rule-failures.ts';
import { ruleHistory } from './operations/rules/rule-history.ts';
import { rulesImpact } from './operations/rules/rules-impact.ts';
import { runAutorules } from './operations/rules/run-autorules.ts';
import { saveRule } from './operations/rules/save-rule.ts';
import { showRule } from './operations/rules/show-rule.ts';
import { tryRule } from './operations/rules/try-rule.ts';
import { backUp } from './operations/storage/back-up.ts';
import { checkStorage } from './operations/storage/check-storage.ts';
import { migrateStorage } from './operations/storage/migrate-storage.ts';
import { restoreBackup } from './operations/storage/restore-backup.ts';
import { rotateKey } from './operations/storage/rotate-key.ts';
import { getServiceLog } from './operations/syncer/get-service-log.ts';
import { listAccountRuns } from './operations/syncer/list-account-runs.ts';
import { listAudit } from './operations/syncer/list-audit.ts';
import { listLogSources } from './operations/syncer/list-log-sources.ts';
import { listLogs } from './operations/syncer/list-logs.ts';
import { searchLogs } from './operations/syncer/search-logs.ts';
import { listPlugins } from './operations/system/list-plugins.ts';
import { runDoctor } from './operations/system/run-doctor.ts';
import { runMaintenance } from './operations/system/run-maintenance.ts';
import { showConfig } from './operations/system/show-config.ts';
import { addUser } from './operations/users/add-user.ts';
import { changeOwnPassword } from './operations/users/change-own-password.ts';
import { changeUser } from './operations/users/change-user.ts';
import { createToken } from './operations/users/create-token.ts';
import { deleteUser } from './operations/users/delete-user.ts';
import { endOwnSessions } from './operations/users/end-own-sessions.ts';
import { endSessions } from './operations/users/end-sessions.ts';
import { listOwnSessions } from './operations/users/list-own-sessions.ts';
import { listSessions } from './operations/users/list-sessions.ts';
import { listTokens } from './operations/users/list-tokens.ts';
import { listUsers } from './operations/users/list-users.ts';
import { revokeToken } from './operations/users/revoke-token.ts';
import { showUser } from './operations/users/show-user.ts';

/** Every operation by its name. Written by `npm run catalogue` from the files that declare them. */
export const CATALOGUE = {
  'accounts/add-account': addAccount,
  'accounts/delete-account': deleteAccount,
  'accounts/get-account': getAccount,
  'accounts/list-account-types': listAccountTypes,
  'accounts/list-accounts': listAccounts,
  'accounts/set-account': setAccount,
  'accounts/show-account': showAccount,
  'accounts/show-accounts': showAccounts,
  'accounts/test-account': testAccount,
  'cron/list-groups': listCronGroups,
  'cron/list-jobs': listCronJobs,
  'cron/make-token': makeCronToken,
  'cron/run-pass': runCronPass,
  'cron/save-group': saveCronGroup,
  'cron/set-policy': setCronPolicy,
  'cron/set-run-once-next': setCronRunOnceNext,
  'cron/show-group': showCronGroup,
  'cron/show-groups': showCronGroups,
  'cron/trigger-group': triggerCronGroup,
  'cron/trigger-webhook': triggerCronWebhook,
  'exports/export-account': exportAccount,
  'hosts/archive-host': archiveHost,
  'hosts/delete-host': deleteHost,
  'hosts/explain-host': explainHost,
  'hosts/find-hosts': findHosts,
  'hosts/get-host': getHost,
  'hosts/host-counters': hostCounters,
  'hosts/host-history': hostHistory,
  'hosts/list-hosts': listHosts,
  'hosts/mark-stale': markStale,
  'hosts/restore-host': restoreHost,
  'hosts/save-host': saveHost,
  'hosts/save-hosts-bulk': saveHostsBulk,
  'hosts/save-inventories-bulk': saveInventoriesBulk,
  'hosts/save-inventory': saveInventory,
  'hosts/show-host': showHost,
  'imports/import-account': importAccount,
  'inventory/browse-inventory': browseInventory,
  'inventory/describe-providers': describeProviders,
  'inventory/list-providers': listProviders,
  'inventory/render-inventory': renderInventory,
  'playbooks/cancel-run': cancelPlaybookRun,
  'playbooks/fire-playbooks': firePlaybooks,
  'playbooks/list-playbooks': listPlaybooks,
  'playbooks/list-runs': listPlaybookRuns,
  'playbooks/run-playbook': runPlaybook,
  'playbooks/show-run': showPlaybookRun,
  'relations/add-relation': addRelation,
  'relations/list-relations': listRelations,
  'relations/remove-relation': removeRelation,
  'rules/confirm-rule': confirmRule,
  'rules/create-rule': createRule,
  'rules/describe-rule-types': describeRuleTypes,
  'rules/export-rules': exportRules,
  'rules/find-rules': findRules,
  'rules/import-rules': importRules,
  'rules/import-rules-of-type': importRulesOfType,
  'rules/import-rules-text': importRulesText,
  'rules/list-rule-types': listRuleTypes,
  'rules/list-rules': listRules,
  'rules/list-waiting': listWaiting,
  'rules/remove-rule': removeRule,
  'rules/revert-rule': revertRule,
  'rules/rule-failures': ruleFailures,
  'rules/rule-history': ruleHistory,
  'rules/rules-impact': rulesImpact,
  'rules/run-autorules': runAutorules,
  'rules/save-rule': saveRule,
  'rules/show-rule': showRule,
  'rules/try-rule': tryRule,
  'storage/back-up': backUp,
  'storage/check-storage': checkStorage,
  'storage/migrate-storage': migrateStorage,
  'storage/restore-backup': restoreBackup,
  'storage/rotate-key': rotateKey,
  'syncer/get-service-log': getServiceLog,
  'syncer/list-account-runs': listAccountRuns,
  'syncer/list-audit': listAudit,
  'syncer/list-log-sources': listLogSources,
  'syncer/list-logs': listLogs,
  'syncer/search-logs': searchLogs,
  'system/list-plugins': listPlugins,
  'system/run-doctor': runDoctor,
  'system/run-maintenance': runMaintenance,
  'system/show-config': showConfig,
  'users/add-user': addUser,
  'users/change-own-password': changeOwnPassword,
  'users/change-user': changeUser,
  'users/create-token': createToken,
  'users/delete-user': deleteUser,
  'users/end-own-sessions': endOwnSessions,
  'users/end-sessions': endSessions,
  'users/list-own-sessions': listOwnSessions,
  'users/list-sessions': listSessions,
  'users/list-tokens': listTokens,
  'users/list-users': listUsers,
  'users/revoke-token': revokeToken,
  'users/show-user': showUser,
} satisfies Readonly<Record<string, AnyOperation>>;
