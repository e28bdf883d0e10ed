import type { AnyOperation } from '../kernel/operation.ts';

/**
 * The operations that are commands, by the first word: a command loads those that begin as it does, and no others. Written by
 * `npm run catalogue` from the files that declare them.
 */
export const COMMAND_INDEX: Readonly<Record<string, () => Promise<readonly AnyOperation[]>>> = {
  account: async () => [
    (await import('./../accounts/operations/delete-account.ts')).deleteAccount,
    (await import('./../accounts/operations/set-account.ts')).setAccount,
    (await import('./../accounts/operations/show-account.ts')).showAccount,
    (await import('./../accounts/operations/show-accounts.ts')).showAccounts,
    (await import('./../runs/preview/operations/test-account.ts')).testAccount,
  ],
  apply: async () => [(await import('./../runs/plans/operations/apply-plan.ts')).applyStoredPlan],
  backup: async () => [(await import('./../maintenance/operations/back-up.ts')).backUp],
  config: async () => [(await import('./../maintenance/operations/show-config.ts')).showConfig],
  cron: async () => [
    (await import('./../runs/cron/operations/list-groups.ts')).listCronGroups,
    (await import('./../runs/cron/operations/make-token.ts')).makeCronToken,
    (await import('./../runs/cron/operations/trigger-group.ts')).triggerCronGroup,
  ],
  doctor: async () => [(await import('./../maintenance/operations/run-doctor.ts')).runDoctor],
  export: async () => [(await import('./../runs/export/operations/export-account.ts')).exportAccount],
  host: async () => [
    (await import('./../hosts/operations/archive-host.ts')).archiveHost,
    (await import('./../rules/explain/operations/explain-host.ts')).explainHost,
    (await import('./../hosts/operations/find-by-key.ts')).findByKey,
    (await import('./../hosts/operations/get-host.ts')).getHost,
    (await import('./../hosts/operations/host-history.ts')).hostHistory,
    (await import('./../hosts/operations/restore-host.ts')).restoreHost,
  ],
  import: async () => [(await import('./../runs/import/operations/import-account.ts')).importAccount],
  'inventory-providers': async () => [(await import('./../inventory/operations/list-providers.ts')).listProviders],
  maintenance: async () => [(await import('./../maintenance/operations/run-maintenance.ts')).runMaintenance],
  plan: async () => [
    (await import('./../runs/plans/operations/approve-plan.ts')).approvePlan,
    (await import('./../runs/plans/operations/list-plans.ts')).listPlans,
    (await import('./../runs/plans/operations/make-plan.ts')).makeStoredPlan,
    (await import('./../runs/plans/operations/show-plan.ts')).showPlan,
  ],
  playbook: async () => [
    (await import('./../runs/playbooks/operations/cancel-run.ts')).cancelPlaybookRun,
    (await import('./../runs/playbooks/operations/fire-existing.ts')).fireExistingMatches,
    (await import('./../runs/playbooks/operations/fire-playbooks.ts')).firePlaybooks,
    (await import('./../runs/playbooks/operations/list-playbooks.ts')).listPlaybooks,
    (await import('./../runs/playbooks/operations/list-runs.ts')).listPlaybookRuns,
    (await import('./../runs/playbooks/operations/show-run.ts')).showPlaybookRun,
  ],
  plugins: async () => [(await import('./../maintenance/operations/list-plugins.ts')).listPlugins],
  preset: async () => [
    (await import('./../accounts/operations/list-presets.ts')).listPresets,
    (await import('./../accounts/operations/new-preset.ts')).newPreset,
  ],
  published: async () => [
    (await import('./../runs/export/operations/list-published.ts')).listPublished,
    (await import('./../runs/export/operations/show-published.ts')).showPublished,
  ],
  rules: async () => [
    (await import('./../rules/explain/operations/explain-host.ts')).explainHost,
    (await import('./../rules/operations/list-rule-types.ts')).listRuleTypes,
    (await import('./../rules/operations/list-waiting.ts')).listWaiting,
    (await import('./../rules/operations/remove-rule.ts')).removeRule,
    (await import('./../rules/operations/revert-rule.ts')).revertRule,
    (await import('./../rules/operations/rule-history.ts')).ruleHistory,
  ],
  storage: async () => [(await import('./../maintenance/operations/rotate-key.ts')).rotateKey],
  user: async () => [
    (await import('./../users/operations/change-user.ts')).changeUser,
    (await import('./../users/operations/create-token.ts')).createToken,
    (await import('./../users/operations/delete-user.ts')).deleteUser,
    (await import('./../users/operations/end-sessions.ts')).endSessions,
    (await import('./../users/operations/list-sessions.ts')).listSessions,
    (await import('./../users/operations/list-tokens.ts')).listTokens,
    (await import('./../users/operations/list-users.ts')).listUsers,
    (await import('./../users/operations/revoke-token.ts')).revokeToken,
    (await import('./../users/operations/show-user.ts')).showUser,
  ],
};
