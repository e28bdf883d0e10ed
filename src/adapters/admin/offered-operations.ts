import type * as z from 'zod';
import type { AnyOperation } from '../../app/execution/operation.ts';
import { addAccount } from '../../app/operations/accounts/add-account.ts';
import { deleteAccount } from '../../app/operations/accounts/delete-account.ts';
import { listAccountTypes } from '../../app/operations/accounts/list-account-types.ts';
import { listAccounts } from '../../app/operations/accounts/list-accounts.ts';
import { setAccount } from '../../app/operations/accounts/set-account.ts';
import { showAccount } from '../../app/operations/accounts/show-account.ts';
import { showAccounts } from '../../app/operations/accounts/show-accounts.ts';
import { testAccount } from '../../app/operations/accounts/test-account.ts';
import { listCronJobs } from '../../app/operations/cron/list-jobs.ts';
import { makeCronToken } from '../../app/operations/cron/make-token.ts';
import { saveCronGroup } from '../../app/operations/cron/save-group.ts';
import { setCronPolicy } from '../../app/operations/cron/set-policy.ts';
import { setCronRunOnceNext } from '../../app/operations/cron/set-run-once-next.ts';
import { showCronGroup } from '../../app/operations/cron/show-group.ts';
import { showCronGroups } from '../../app/operations/cron/show-groups.ts';
import { triggerCronGroup } from '../../app/operations/cron/trigger-group.ts';
import { exportAccount } from '../../app/operations/exports/export-account.ts';
import { archiveHost } from '../../app/operations/hosts/archive-host.ts';
import { deleteHost } from '../../app/operations/hosts/delete-host.ts';
import { explainHost } from '../../app/operations/hosts/explain-host.ts';
import { findHosts } from '../../app/operations/hosts/find-hosts.ts';
import { getHost } from '../../app/operations/hosts/get-host.ts';
import { hostCounters } from '../../app/operations/hosts/host-counters.ts';
import { hostHistory } from '../../app/operations/hosts/host-history.ts';
import { restoreHost } from '../../app/operations/hosts/restore-host.ts';
import { saveHost } from '../../app/operations/hosts/save-host.ts';
import { saveInventory } from '../../app/operations/hosts/save-inventory.ts';
import { showHost } from '../../app/operations/hosts/show-host.ts';
import { importAccount } from '../../app/operations/imports/import-account.ts';
import { browseInventory } from '../../app/operations/inventory/browse-inventory.ts';
import { describeProviders } from '../../app/operations/inventory/describe-providers.ts';
import { listProviders } from '../../app/operations/inventory/list-providers.ts';
import { renderInventory } from '../../app/operations/inventory/render-inventory.ts';
import { cancelPlaybookRun } from '../../app/operations/playbooks/cancel-run.ts';
import { listPlaybooks } from '../../app/operations/playbooks/list-playbooks.ts';
import { listPlaybookRuns } from '../../app/operations/playbooks/list-runs.ts';
import { runPlaybook } from '../../app/operations/playbooks/run-playbook.ts';
import { showPlaybookRun } from '../../app/operations/playbooks/show-run.ts';
import { addRelation } from '../../app/operations/relations/add-relation.ts';
import { listRelations } from '../../app/operations/relations/list-relations.ts';
import { removeRelation } from '../../app/operations/relations/remove-relation.ts';
import { confirmRule } from '../../app/operations/rules/confirm-rule.ts';
import { createRule } from '../../app/operations/rules/create-rule.ts';
import { describeRuleTypes } from '../../app/operations/rules/describe-rule-types.ts';
import { exportRules } from '../../app/operations/rules/export-rules.ts';
import { findRules } from '../../app/operations/rules/find-rules.ts';
import { importRules } from '../../app/operations/rules/import-rules.ts';
import { importRulesText } from '../../app/operations/rules/import-rules-text.ts';
import { listRuleTypes } from '../../app/operations/rules/list-rule-types.ts';
import { listRules } from '../../app/operations/rules/list-rules.ts';
import { listWaiting } from '../../app/operations/rules/list-waiting.ts';
import { removeRule } from '../../app/operations/rules/remove-rule.ts';
import { revertRule } from '../../app/operations/rules/revert-rule.ts';
import { ruleFailures } from '../../app/operations/rules/rule-failures.ts';
import { ruleHistory } from '../../app/operations/rules/rule-history.ts';
import { rulesImpact } from '../../app/operations/rules/rules-impact.ts';
import { runAutorules } from '../../app/operations/rules/run-autorules.ts';
import { saveRule } from '../../app/operations/rules/save-rule.ts';
import { showRule } from '../../app/operations/rules/show-rule.ts';
import { tryRule } from '../../app/operations/rules/try-rule.ts';
import { getServiceLog } from '../../app/operations/syncer/get-service-log.ts';
import { listAccountRuns } from '../../app/operations/syncer/list-account-runs.ts';
import { listAudit } from '../../app/operations/syncer/list-audit.ts';
import { listLogSources } from '../../app/operations/syncer/list-log-sources.ts';
import { listLogs } from '../../app/operations/syncer/list-logs.ts';
import { searchLogs } from '../../app/operations/syncer/search-logs.ts';
import { listPlugins } from '../../app/operations/system/list-plugins.ts';
import { runDoctor } from '../../app/operations/system/run-doctor.ts';
import { runMaintenance } from '../../app/operations/system/run-maintenance.ts';
import { showConfig } from '../../app/operations/system/show-config.ts';
import { addUser } from '../../app/operations/users/add-user.ts';
import { changeOwnPassword } from '../../app/operations/users/change-own-password.ts';
import { changeUser } from '../../app/operations/users/change-user.ts';
import { createToken } from '../../app/operations/users/create-token.ts';
import { deleteUser } from '../../app/operations/users/delete-user.ts';
import { endOwnSessions } from '../../app/operations/users/end-own-sessions.ts';
import { endSessions } from '../../app/operations/users/end-sessions.ts';
import { listOwnSessions } from '../../app/operations/users/list-own-sessions.ts';
import { listSessions } from '../../app/operations/users/list-sessions.ts';
import { listTokens } from '../../app/operations/users/list-tokens.ts';
import { listUsers } from '../../app/operations/users/list-users.ts';
import { revokeToken } from '../../app/operations/users/revoke-token.ts';
import { showUser } from '../../app/operations/users/show-user.ts';

/**
 * What the pages may call. Left out is what belongs to the machine (paths on its disk, other storages, the instance key), to
 * other entrances (webhooks, tools), and bulk forms that no page needs.
 */
const OFFERED = {
  'accounts/add-account': addAccount,
  'accounts/delete-account': deleteAccount,
  'accounts/list-account-types': listAccountTypes,
  'accounts/list-accounts': listAccounts,
  'accounts/set-account': setAccount,
  'accounts/show-account': showAccount,
  'accounts/show-accounts': showAccounts,
  'accounts/test-account': testAccount,
  'cron/list-jobs': listCronJobs,
  'cron/make-token': makeCronToken,
  'cron/save-group': saveCronGroup,
  'cron/set-policy': setCronPolicy,
  'cron/set-run-once-next': setCronRunOnceNext,
  'cron/show-group': showCronGroup,
  'cron/show-groups': showCronGroups,
  'cron/trigger-group': triggerCronGroup,
  'exports/export-account': exportAccount,
  'hosts/archive-host': archiveHost,
  'hosts/delete-host': deleteHost,
  'hosts/explain-host': explainHost,
  'hosts/find-hosts': findHosts,
  'hosts/get-host': getHost,
  'hosts/host-counters': hostCounters,
  'hosts/host-history': hostHistory,
  'hosts/restore-host': restoreHost,
  'hosts/save-host': saveHost,
  'hosts/save-inventory': saveInventory,
  'hosts/show-host': showHost,
  'imports/import-account': importAccount,
  'inventory/browse-inventory': browseInventory,
  'inventory/describe-providers': describeProviders,
  'inventory/list-providers': listProviders,
  'inventory/render-inventory': renderInventory,
  'playbooks/cancel-run': cancelPlaybookRun,
  'playbooks/list-runs': listPlaybookRuns,
  'playbooks/list-playbooks': listPlaybooks,
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
} as const;

type OfferedOperations = typeof OFFERED;
export type OfferedName = keyof OfferedOperations;

/** What a page sends; members with a default may be left out, and the executor checks all of them. */
export type OfferedInput<Name extends OfferedName> = OfferedOperations[Name] extends { input: z.ZodType<infer Input> }
  ? Partial<Input>
  : never;

export type OfferedOutput<Name extends OfferedName> = OfferedOperations[Name] extends {
  answer: 'value';
  output: z.ZodType<infer Output>;
}
  ? Output
  : unknown;

export const OFFERED_OPERATIONS: ReadonlyMap<string, AnyOperation> = new Map(
  Object.values(OFFERED).map((operation) => [operation.name, operation as unknown as AnyOperation]),
);
