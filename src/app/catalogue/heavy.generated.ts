import type { AnyOperation } from '../kernel/operation.ts';

/**
 * Each heavy operation by its name, loaded when it is asked for: a worker thread meets few of them. Written by
 * `npm run catalogue` from the files that declare them.
 */
export const HEAVY_OPERATIONS: Readonly<Record<string, () => Promise<AnyOperation>>> = {
  'accounts/delete-account': async () => (await import('./../accounts/operations/delete-account.ts')).deleteAccount,
  'exports/export-account': async () => (await import('./../runs/export/operations/export-account.ts')).exportAccount,
  'hosts/save-hosts-bulk': async () => (await import('./../hosts/operations/save-hosts-bulk.ts')).saveHostsBulk,
  'hosts/save-inventories-bulk': async () =>
    (await import('./../hosts/operations/save-inventories-bulk.ts')).saveInventoriesBulk,
  'imports/import-account': async () => (await import('./../runs/import/operations/import-account.ts')).importAccount,
  'imports/try-import': async () => (await import('./../runs/import/operations/try-import.ts')).tryImport,
  'inventory/browse-inventory': async () =>
    (await import('./../inventory/operations/browse-inventory.ts')).browseInventory,
  'inventory/check-names': async () => (await import('./../inventory/operations/check-names.ts')).checkNames,
  'inventory/render-inventory': async () =>
    (await import('./../inventory/operations/render-inventory.ts')).renderInventory,
  'plans/apply-plan': async () => (await import('./../runs/plans/operations/apply-plan.ts')).applyStoredPlan,
  'plans/make-plan': async () => (await import('./../runs/plans/operations/make-plan.ts')).makeStoredPlan,
  'playbooks/fire-playbooks': async () =>
    (await import('./../runs/playbooks/operations/fire-playbooks.ts')).firePlaybooks,
  'rules/apply-folder': async () => (await import('./../rules/folder/operations/apply-folder.ts')).applyFolder,
  'rules/compare-versions': async () => (await import('./../rules/operations/compare-versions.ts')).compareVersions,
  'rules/create-rule': async () => (await import('./../rules/operations/create-rule.ts')).createRule,
  'rules/diff-folder': async () => (await import('./../rules/folder/operations/diff-folder.ts')).diffFolder,
  'rules/export-folder': async () => (await import('./../rules/folder/operations/export-folder.ts')).exportFolder,
  'rules/export-rules': async () => (await import('./../rules/operations/export-rules.ts')).exportRules,
  'rules/find-rules': async () => (await import('./../rules/operations/find-rules.ts')).findRules,
  'rules/import-rules': async () => (await import('./../rules/operations/import-rules.ts')).importRules,
  'rules/import-rules-of-type': async () =>
    (await import('./../rules/operations/import-rules-of-type.ts')).importRulesOfType,
  'rules/list-waiting': async () => (await import('./../rules/operations/list-waiting.ts')).listWaiting,
  'rules/preview-autorules': async () => (await import('./../rules/operations/preview-autorules.ts')).previewAutorules,
  'rules/revert-rule': async () => (await import('./../rules/operations/revert-rule.ts')).revertRule,
  'rules/run-autorules': async () => (await import('./../rules/operations/run-autorules.ts')).runAutorules,
  'rules/save-rule': async () => (await import('./../rules/operations/save-rule.ts')).saveRule,
  'rules/show-rule': async () => (await import('./../rules/operations/show-rule.ts')).showRule,
  'rules/undo-autorules': async () => (await import('./../rules/operations/undo-autorules.ts')).undoAutorules,
  'runs/undo-run': async () => (await import('./../runs/undo/operations/undo-run.ts')).undoImport,
  'search/count-hosts': async () => (await import('./../search/operations/count-hosts.ts')).countHosts,
  'search/host-table': async () => (await import('./../search/operations/host-table.ts')).hostTable,
  'search/purge-hosts': async () => (await import('./../search/operations/purge-hosts.ts')).purgeHosts,
  'search/report-quality': async () => (await import('./../search/operations/report-quality.ts')).reportQuality,
  'search/search-hosts': async () => (await import('./../search/operations/search-hosts.ts')).searchHosts,
  'storage/back-up': async () => (await import('./../maintenance/operations/back-up.ts')).backUp,
  'storage/begin-audit-chain': async () =>
    (await import('./../maintenance/operations/begin-audit-chain.ts')).beginAuditChain,
  'storage/check-storage': async () => (await import('./../maintenance/operations/check-storage.ts')).checkStorage,
  'storage/keep-backup': async () => (await import('./../maintenance/operations/keep-backup.ts')).keepBackup,
  'storage/migrate-storage': async () =>
    (await import('./../maintenance/operations/migrate-storage.ts')).migrateStorage,
  'storage/restore-backup': async () => (await import('./../maintenance/operations/restore-backup.ts')).restoreBackup,
  'storage/rotate-key': async () => (await import('./../maintenance/operations/rotate-key.ts')).rotateKey,
  'storage/verify-backup': async () => (await import('./../maintenance/operations/verify-backup.ts')).verifyBackup,
  'system/check-export': async () => (await import('./../maintenance/operations/check-export.ts')).checkExport,
  'system/compare-inventory': async () =>
    (await import('./../maintenance/operations/compare-inventory.ts')).compareInventory,
};
