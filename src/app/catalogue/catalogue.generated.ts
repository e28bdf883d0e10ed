import { addAccount } from './../accounts/operations/add-account.ts';
import { deleteAccount } from './../accounts/operations/delete-account.ts';
import { getAccount } from './../accounts/operations/get-account.ts';
import { listAccountRuns } from './../accounts/operations/list-account-runs.ts';
import { listAccountTypes } from './../accounts/operations/list-account-types.ts';
import { listAccounts } from './../accounts/operations/list-accounts.ts';
import { listAccountFiles } from './../accounts/operations/list-files.ts';
import { listPresets } from './../accounts/operations/list-presets.ts';
import { newPreset } from './../accounts/operations/new-preset.ts';
import { setAccount } from './../accounts/operations/set-account.ts';
import { showAccount } from './../accounts/operations/show-account.ts';
import { showAccounts } from './../accounts/operations/show-accounts.ts';
import { uploadFile } from './../accounts/operations/upload-file.ts';
import { listActions } from './../extensions/operations/list-actions.ts';
import { archiveHost } from './../hosts/operations/archive-host.ts';
import { archiveHosts } from './../hosts/operations/archive-hosts.ts';
import { changeLabels } from './../hosts/operations/change-labels.ts';
import { deleteHost } from './../hosts/operations/delete-host.ts';
import { findByKey } from './../hosts/operations/find-by-key.ts';
import { followChanges } from './../hosts/operations/follow-changes.ts';
import { getHost } from './../hosts/operations/get-host.ts';
import { hostCounters } from './../hosts/operations/host-counters.ts';
import { hostHistory } from './../hosts/operations/host-history.ts';
import { listDays } from './../hosts/operations/list-days.ts';
import { listHosts } from './../hosts/operations/list-hosts.ts';
import { restoreHost } from './../hosts/operations/restore-host.ts';
import { restoreHosts } from './../hosts/operations/restore-hosts.ts';
import { saveHost } from './../hosts/operations/save-host.ts';
import { saveHostsBulk } from './../hosts/operations/save-hosts-bulk.ts';
import { saveInventoriesBulk } from './../hosts/operations/save-inventories-bulk.ts';
import { saveInventory } from './../hosts/operations/save-inventory.ts';
import { showHost } from './../hosts/operations/show-host.ts';
import { streamChanges } from './../hosts/operations/stream-changes.ts';
import { addRelation } from './../hosts/relations/operations/add-relation.ts';
import { listRelations } from './../hosts/relations/operations/list-relations.ts';
import { removeRelation } from './../hosts/relations/operations/remove-relation.ts';
import { showGraph } from './../hosts/relations/operations/show-graph.ts';
import { browseInventory } from './../inventory/operations/browse-inventory.ts';
import { checkNames } from './../inventory/operations/check-names.ts';
import { compareTimes } from './../inventory/operations/compare-times.ts';
import { listProviders } from './../inventory/operations/list-providers.ts';
import { renderInventory } from './../inventory/operations/render-inventory.ts';
import { valuesSince } from './../inventory/operations/values-since.ts';
import { getServiceLog } from './../journal/operations/get-service-log.ts';
import { listAudit } from './../journal/operations/list-audit.ts';
import { listLogSources } from './../journal/operations/list-log-sources.ts';
import { listLogs } from './../journal/operations/list-logs.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import { listSignInMethods } from './../logins/operations/list-methods.ts';
import { testSignInMethod } from './../logins/operations/test-method.ts';
import { backUp } from './../maintenance/operations/back-up.ts';
import { beginAuditChain } from './../maintenance/operations/begin-audit-chain.ts';
import { checkExport } from './../maintenance/operations/check-export.ts';
import { checkStorage } from './../maintenance/operations/check-storage.ts';
import { compareInventory } from './../maintenance/operations/compare-inventory.ts';
import { keepBackup } from './../maintenance/operations/keep-backup.ts';
import { listBackups } from './../maintenance/operations/list-backups.ts';
import { listPlugins } from './../maintenance/operations/list-plugins.ts';
import { markStale } from './../maintenance/operations/mark-stale.ts';
import { mendFiles } from './../maintenance/operations/mend-files.ts';
import { migrateStorage } from './../maintenance/operations/migrate-storage.ts';
import { readBackup } from './../maintenance/operations/read-backup.ts';
import { recountSeats } from './../maintenance/operations/recount-seats.ts';
import { restoreBackup } from './../maintenance/operations/restore-backup.ts';
import { rotateKey } from './../maintenance/operations/rotate-key.ts';
import { runDoctor } from './../maintenance/operations/run-doctor.ts';
import { runMaintenance } from './../maintenance/operations/run-maintenance.ts';
import { setLogLevel } from './../maintenance/operations/set-log-level.ts';
import { showConfig } from './../maintenance/operations/show-config.ts';
import { supportBundle } from './../maintenance/operations/support-bundle.ts';
import { verifyBackup } from './../maintenance/operations/verify-backup.ts';
import { explainHost } from './../rules/explain/operations/explain-host.ts';
import { applyFolder } from './../rules/folder/operations/apply-folder.ts';
import { diffFolder } from './../rules/folder/operations/diff-folder.ts';
import { exportFolder } from './../rules/folder/operations/export-folder.ts';
import { compareVersions } from './../rules/operations/compare-versions.ts';
import { confirmRule } from './../rules/operations/confirm-rule.ts';
import { countAttributes } from './../rules/operations/count-attributes.ts';
import { countMatches } from './../rules/operations/count-matches.ts';
import { createRule } from './../rules/operations/create-rule.ts';
import { describeRuleTypes } from './../rules/operations/describe-rule-types.ts';
import { explainNoChange } from './../rules/operations/explain-no-change.ts';
import { exportRules } from './../rules/operations/export-rules.ts';
import { failingHosts } from './../rules/operations/failing-hosts.ts';
import { findAttributeUses } from './../rules/operations/find-attribute-uses.ts';
import { findRules } from './../rules/operations/find-rules.ts';
import { importRules } from './../rules/operations/import-rules.ts';
import { importRulesOfType } from './../rules/operations/import-rules-of-type.ts';
import { listAutorulesPasses } from './../rules/operations/list-autorules-passes.ts';
import { listCountedRules } from './../rules/operations/list-counted-rules.ts';
import { listRemoved } from './../rules/operations/list-removed.ts';
import { listRuleTypes } from './../rules/operations/list-rule-types.ts';
import { listRules } from './../rules/operations/list-rules.ts';
import { listTemplateWords } from './../rules/operations/list-template-words.ts';
import { listUnworkableRules } from './../rules/operations/list-unworkable-rules.ts';
import { listWaiting } from './../rules/operations/list-waiting.ts';
import { moveRules } from './../rules/operations/move-rules.ts';
import { previewAutorules } from './../rules/operations/preview-autorules.ts';
import { removeRule } from './../rules/operations/remove-rule.ts';
import { removeRules } from './../rules/operations/remove-rules.ts';
import { revertRule } from './../rules/operations/revert-rule.ts';
import { ruleFailures } from './../rules/operations/rule-failures.ts';
import { ruleHistory } from './../rules/operations/rule-history.ts';
import { rulesImpact } from './../rules/operations/rules-impact.ts';
import { runAutorules } from './../rules/operations/run-autorules.ts';
import { saveRule } from './../rules/operations/save-rule.ts';
import { showProject } from './../rules/operations/show-project.ts';
import { showRule } from './../rules/operations/show-rule.ts';
import { switchProject } from './../rules/operations/switch-project.ts';
import { switchRules } from './../rules/operations/switch-rules.ts';
import { tryAutorule } from './../rules/operations/try-autorule.ts';
import { tryList } from './../rules/operations/try-list.ts';
import { tryRule } from './../rules/operations/try-rule.ts';
import { undoAutorules } from './../rules/operations/undo-autorules.ts';
import { cancelActiveRun } from './../runs/active/operations/cancel-active-run.ts';
import { listActiveRuns } from './../runs/active/operations/list-active-runs.ts';
import { listCronGroups } from './../runs/cron/operations/list-groups.ts';
import { listCronJobs } from './../runs/cron/operations/list-jobs.ts';
import { listUpcomingRuns } from './../runs/cron/operations/list-upcoming.ts';
import { makeCronToken } from './../runs/cron/operations/make-token.ts';
import { runCronGroup } from './../runs/cron/operations/run-group.ts';
import { runCronPass } from './../runs/cron/operations/run-pass.ts';
import { saveCronGroup } from './../runs/cron/operations/save-group.ts';
import { setCronPolicy } from './../runs/cron/operations/set-policy.ts';
import { setCronRunOnceNext } from './../runs/cron/operations/set-run-once-next.ts';
import { showCronGroup } from './../runs/cron/operations/show-group.ts';
import { triggerCronGroup } from './../runs/cron/operations/trigger-group.ts';
import { triggerCronWebhook } from './../runs/cron/operations/trigger-webhook.ts';
import { exportAccount } from './../runs/export/operations/export-account.ts';
import { listPublished } from './../runs/export/operations/list-published.ts';
import { readPublished } from './../runs/export/operations/read-published.ts';
import { showPublished } from './../runs/export/operations/show-published.ts';
import { importAccount } from './../runs/import/operations/import-account.ts';
import { tryImport } from './../runs/import/operations/try-import.ts';
import { listNotifications } from './../runs/notifications/operations/list-notifications.ts';
import { retryNotification } from './../runs/notifications/operations/retry-notification.ts';
import { sendNotifications } from './../runs/notifications/operations/send-notifications.ts';
import { testNotification } from './../runs/notifications/operations/test-notification.ts';
import { listRuns } from './../runs/past/operations/list-runs.ts';
import { listStrips } from './../runs/past/operations/list-strips.ts';
import { showRun } from './../runs/past/operations/show-run.ts';
import { applyStoredPlan } from './../runs/plans/operations/apply-plan.ts';
import { approvePlan } from './../runs/plans/operations/approve-plan.ts';
import { discardPlan } from './../runs/plans/operations/discard-plan.ts';
import { listPlans } from './../runs/plans/operations/list-plans.ts';
import { makeStoredPlan } from './../runs/plans/operations/make-plan.ts';
import { showPlan } from './../runs/plans/operations/show-plan.ts';
import { cancelPlaybookRun } from './../runs/playbooks/operations/cancel-run.ts';
import { fireExistingMatches } from './../runs/playbooks/operations/fire-existing.ts';
import { firePlaybooks } from './../runs/playbooks/operations/fire-playbooks.ts';
import { listPlaybooks } from './../runs/playbooks/operations/list-playbooks.ts';
import { listPlaybookRuns } from './../runs/playbooks/operations/list-runs.ts';
import { runPlaybook } from './../runs/playbooks/operations/run-playbook.ts';
import { showPlaybookRun } from './../runs/playbooks/operations/show-run.ts';
import { testAccount } from './../runs/preview/operations/test-account.ts';
import { tryAccount } from './../runs/preview/operations/try-account.ts';
import { undoImport } from './../runs/undo/operations/undo-run.ts';
import { countHosts } from './../search/operations/count-hosts.ts';
import { hostTable } from './../search/operations/host-table.ts';
import { listChanges } from './../search/operations/list-changes.ts';
import { listSavedSearches } from './../search/operations/list-saved-searches.ts';
import { purgeHosts } from './../search/operations/purge-hosts.ts';
import { removeSavedSearch } from './../search/operations/remove-saved-search.ts';
import { reportQuality } from './../search/operations/report-quality.ts';
import { saveSearch } from './../search/operations/save-search.ts';
import { searchHosts } from './../search/operations/search-hosts.ts';
import { addUser } from './../users/operations/add-user.ts';
import { changeOwnPassword } from './../users/operations/change-own-password.ts';
import { changeUser } from './../users/operations/change-user.ts';
import { createOwnToken } from './../users/operations/create-own-token.ts';
import { createToken } from './../users/operations/create-token.ts';
import { deleteUser } from './../users/operations/delete-user.ts';
import { endOwnSessions } from './../users/operations/end-own-sessions.ts';
import { endSessions } from './../users/operations/end-sessions.ts';
import { listOwnSessions } from './../users/operations/list-own-sessions.ts';
import { listOwnTokens } from './../users/operations/list-own-tokens.ts';
import { listSessions } from './../users/operations/list-sessions.ts';
import { listTokens } from './../users/operations/list-tokens.ts';
import { listUsers } from './../users/operations/list-users.ts';
import { revokeOwnToken } from './../users/operations/revoke-own-token.ts';
import { revokeToken } from './../users/operations/revoke-token.ts';
import { showUser } from './../users/operations/show-user.ts';
import { addOwnPasskey } from './../users/second-factor/operations/add-own-passkey.ts';
import { beginOwnAuthenticator } from './../users/second-factor/operations/begin-own-authenticator.ts';
import { beginOwnPasskey } from './../users/second-factor/operations/begin-own-passkey.ts';
import { issueBreakGlass } from './../users/second-factor/operations/break-glass.ts';
import { confirmOwnAuthenticator } from './../users/second-factor/operations/confirm-own-authenticator.ts';
import { createOwnRecoveryCodes } from './../users/second-factor/operations/create-own-recovery-codes.ts';
import { removeOwnAuthenticator } from './../users/second-factor/operations/remove-own-authenticator.ts';
import { removeOwnPasskey } from './../users/second-factor/operations/remove-own-passkey.ts';
import { resetSecondFactor } from './../users/second-factor/operations/reset-second-factor.ts';
import { showOwnSecondFactor } from './../users/second-factor/operations/show-own-second-factor.ts';

/** Every operation by its name. Written by `npm run catalogue` from the files that declare them. */
export const CATALOGUE = {
  'accounts/add-account': addAccount,
  'accounts/delete-account': deleteAccount,
  'accounts/get-account': getAccount,
  'accounts/list-account-types': listAccountTypes,
  'accounts/list-accounts': listAccounts,
  'accounts/list-files': listAccountFiles,
  'accounts/list-presets': listPresets,
  'accounts/new-preset': newPreset,
  'accounts/set-account': setAccount,
  'accounts/show-account': showAccount,
  'accounts/show-accounts': showAccounts,
  'accounts/test-account': testAccount,
  'accounts/try-account': tryAccount,
  'accounts/upload-file': uploadFile,
  'cron/list-groups': listCronGroups,
  'cron/list-jobs': listCronJobs,
  'cron/list-upcoming': listUpcomingRuns,
  'cron/make-token': makeCronToken,
  'cron/run-group': runCronGroup,
  'cron/run-pass': runCronPass,
  'cron/save-group': saveCronGroup,
  'cron/set-policy': setCronPolicy,
  'cron/set-run-once-next': setCronRunOnceNext,
  'cron/show-group': showCronGroup,
  'cron/trigger-group': triggerCronGroup,
  'cron/trigger-webhook': triggerCronWebhook,
  'exports/export-account': exportAccount,
  'exports/list-published': listPublished,
  'exports/read-published': readPublished,
  'exports/show-published': showPublished,
  'hosts/archive-host': archiveHost,
  'hosts/archive-hosts': archiveHosts,
  'hosts/change-labels': changeLabels,
  'hosts/delete-host': deleteHost,
  'hosts/explain-host': explainHost,
  'hosts/find-by-key': findByKey,
  'hosts/follow-changes': followChanges,
  'hosts/get-host': getHost,
  'hosts/host-counters': hostCounters,
  'hosts/host-history': hostHistory,
  'hosts/list-changes': listChanges,
  'hosts/list-days': listDays,
  'hosts/list-hosts': listHosts,
  'hosts/mark-stale': markStale,
  'hosts/restore-host': restoreHost,
  'hosts/restore-hosts': restoreHosts,
  'hosts/save-host': saveHost,
  'hosts/save-hosts-bulk': saveHostsBulk,
  'hosts/save-inventories-bulk': saveInventoriesBulk,
  'hosts/save-inventory': saveInventory,
  'hosts/show-host': showHost,
  'hosts/stream-changes': streamChanges,
  'hosts/values-since': valuesSince,
  'imports/import-account': importAccount,
  'imports/try-import': tryImport,
  'inventory/browse-inventory': browseInventory,
  'inventory/check-names': checkNames,
  'inventory/compare-times': compareTimes,
  'inventory/list-providers': listProviders,
  'inventory/render-inventory': renderInventory,
  'logins/list-methods': listSignInMethods,
  'logins/test-method': testSignInMethod,
  'notifications/list-notifications': listNotifications,
  'notifications/retry-notification': retryNotification,
  'notifications/send-notifications': sendNotifications,
  'notifications/test-notification': testNotification,
  'plans/apply-plan': applyStoredPlan,
  'plans/approve-plan': approvePlan,
  'plans/discard-plan': discardPlan,
  'plans/list-plans': listPlans,
  'plans/make-plan': makeStoredPlan,
  'plans/show-plan': showPlan,
  'playbooks/cancel-run': cancelPlaybookRun,
  'playbooks/fire-existing': fireExistingMatches,
  'playbooks/fire-playbooks': firePlaybooks,
  'playbooks/list-playbooks': listPlaybooks,
  'playbooks/list-runs': listPlaybookRuns,
  'playbooks/run-playbook': runPlaybook,
  'playbooks/show-run': showPlaybookRun,
  'plugins/list-actions': listActions,
  'relations/add-relation': addRelation,
  'relations/list-relations': listRelations,
  'relations/remove-relation': removeRelation,
  'relations/show-graph': showGraph,
  'rules/apply-folder': applyFolder,
  'rules/compare-versions': compareVersions,
  'rules/confirm-rule': confirmRule,
  'rules/count-attributes': countAttributes,
  'rules/count-matches': countMatches,
  'rules/create-rule': createRule,
  'rules/describe-rule-types': describeRuleTypes,
  'rules/diff-folder': diffFolder,
  'rules/explain-no-change': explainNoChange,
  'rules/export-folder': exportFolder,
  'rules/export-rules': exportRules,
  'rules/failing-hosts': failingHosts,
  'rules/find-attribute-uses': findAttributeUses,
  'rules/find-rules': findRules,
  'rules/import-rules': importRules,
  'rules/import-rules-of-type': importRulesOfType,
  'rules/list-autorules-passes': listAutorulesPasses,
  'rules/list-counted-rules': listCountedRules,
  'rules/list-removed': listRemoved,
  'rules/list-rule-types': listRuleTypes,
  'rules/list-rules': listRules,
  'rules/list-template-words': listTemplateWords,
  'rules/list-unworkable-rules': listUnworkableRules,
  'rules/list-waiting': listWaiting,
  'rules/move-rules': moveRules,
  'rules/preview-autorules': previewAutorules,
  'rules/remove-rule': removeRule,
  'rules/remove-rules': removeRules,
  'rules/revert-rule': revertRule,
  'rules/rule-failures': ruleFailures,
  'rules/rule-history': ruleHistory,
  'rules/rules-impact': rulesImpact,
  'rules/run-autorules': runAutorules,
  'rules/save-rule': saveRule,
  'rules/show-project': showProject,
  'rules/show-rule': showRule,
  'rules/switch-project': switchProject,
  'rules/switch-rules': switchRules,
  'rules/try-autorule': tryAutorule,
  'rules/try-list': tryList,
  'rules/try-rule': tryRule,
  'rules/undo-autorules': undoAutorules,
  'runs/cancel-active': cancelActiveRun,
  'runs/list-active': listActiveRuns,
  'runs/list-runs': listRuns,
  'runs/list-strips': listStrips,
  'runs/show-run': showRun,
  'runs/undo-run': undoImport,
  'search/count-hosts': countHosts,
  'search/host-table': hostTable,
  'search/list-saved-searches': listSavedSearches,
  'search/purge-hosts': purgeHosts,
  'search/remove-saved-search': removeSavedSearch,
  'search/report-quality': reportQuality,
  'search/save-search': saveSearch,
  'search/search-hosts': searchHosts,
  'storage/back-up': backUp,
  'storage/begin-audit-chain': beginAuditChain,
  'storage/check-storage': checkStorage,
  'storage/keep-backup': keepBackup,
  'storage/list-backups': listBackups,
  'storage/migrate-storage': migrateStorage,
  'storage/read-backup': readBackup,
  'storage/restore-backup': restoreBackup,
  'storage/rotate-key': rotateKey,
  'storage/verify-backup': verifyBackup,
  'syncer/get-service-log': getServiceLog,
  'syncer/list-account-runs': listAccountRuns,
  'syncer/list-audit': listAudit,
  'syncer/list-log-sources': listLogSources,
  'syncer/list-logs': listLogs,
  'system/check-export': checkExport,
  'system/compare-inventory': compareInventory,
  'system/list-plugins': listPlugins,
  'system/mend-files': mendFiles,
  'system/recount-seats': recountSeats,
  'system/run-doctor': runDoctor,
  'system/run-maintenance': runMaintenance,
  'system/set-log-level': setLogLevel,
  'system/show-config': showConfig,
  'system/support-bundle': supportBundle,
  'users/add-own-passkey': addOwnPasskey,
  'users/add-user': addUser,
  'users/begin-own-authenticator': beginOwnAuthenticator,
  'users/begin-own-passkey': beginOwnPasskey,
  'users/break-glass': issueBreakGlass,
  'users/change-own-password': changeOwnPassword,
  'users/change-user': changeUser,
  'users/confirm-own-authenticator': confirmOwnAuthenticator,
  'users/create-own-recovery-codes': createOwnRecoveryCodes,
  'users/create-own-token': createOwnToken,
  'users/create-token': createToken,
  'users/delete-user': deleteUser,
  'users/end-own-sessions': endOwnSessions,
  'users/end-sessions': endSessions,
  'users/list-own-sessions': listOwnSessions,
  'users/list-own-tokens': listOwnTokens,
  'users/list-sessions': listSessions,
  'users/list-tokens': listTokens,
  'users/list-users': listUsers,
  'users/remove-own-authenticator': removeOwnAuthenticator,
  'users/remove-own-passkey': removeOwnPasskey,
  'users/reset-second-factor': resetSecondFactor,
  'users/revoke-own-token': revokeOwnToken,
  'users/revoke-token': revokeToken,
  'users/show-own-second-factor': showOwnSecondFactor,
  'users/show-user': showUser,
} satisfies Readonly<Record<string, AnyOperation>>;
