import { getAccount } from './../accounts/operations/get-account.ts';
import { listAccounts } from './../accounts/operations/list-accounts.ts';
import { listPresets } from './../accounts/operations/list-presets.ts';
import { deleteHost } from './../hosts/operations/delete-host.ts';
import { findByKey } from './../hosts/operations/find-by-key.ts';
import { getHost } from './../hosts/operations/get-host.ts';
import { hostCounters } from './../hosts/operations/host-counters.ts';
import { listHosts } from './../hosts/operations/list-hosts.ts';
import { saveHost } from './../hosts/operations/save-host.ts';
import { saveInventory } from './../hosts/operations/save-inventory.ts';
import { compareTimes } from './../inventory/operations/compare-times.ts';
import { listLogs } from './../journal/operations/list-logs.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import { explainHost } from './../rules/explain/operations/explain-host.ts';
import { createRule } from './../rules/operations/create-rule.ts';
import { exportRules } from './../rules/operations/export-rules.ts';
import { findAttributeUses } from './../rules/operations/find-attribute-uses.ts';
import { importRules } from './../rules/operations/import-rules.ts';
import { listRuleTypes } from './../rules/operations/list-rule-types.ts';
import { listRules } from './../rules/operations/list-rules.ts';
import { runAutorules } from './../rules/operations/run-autorules.ts';
import { listCronGroups } from './../runs/cron/operations/list-groups.ts';
import { triggerCronGroup } from './../runs/cron/operations/trigger-group.ts';
import { listPublished } from './../runs/export/operations/list-published.ts';
import { showPublished } from './../runs/export/operations/show-published.ts';
import { applyStoredPlan } from './../runs/plans/operations/apply-plan.ts';
import { listPlans } from './../runs/plans/operations/list-plans.ts';
import { showPlan } from './../runs/plans/operations/show-plan.ts';
import { countHosts } from './../search/operations/count-hosts.ts';
import { listChanges } from './../search/operations/list-changes.ts';
import { listSavedSearches } from './../search/operations/list-saved-searches.ts';
import { saveSearch } from './../search/operations/save-search.ts';
import { searchHosts } from './../search/operations/search-hosts.ts';

/** The operations that are tools: the tool server loads no others. Written by `npm run catalogue` from the files that declare them. */
export const TOOL_OPERATIONS: readonly AnyOperation[] = [
  getAccount,
  listAccounts,
  listPresets,
  listCronGroups,
  triggerCronGroup,
  listPublished,
  showPublished,
  deleteHost,
  explainHost,
  findByKey,
  getHost,
  hostCounters,
  listChanges,
  listHosts,
  saveHost,
  saveInventory,
  compareTimes,
  applyStoredPlan,
  listPlans,
  showPlan,
  createRule,
  exportRules,
  findAttributeUses,
  importRules,
  listRuleTypes,
  listRules,
  runAutorules,
  countHosts,
  listSavedSearches,
  saveSearch,
  searchHosts,
  listLogs,
];
