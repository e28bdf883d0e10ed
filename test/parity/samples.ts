const RULE = {
  _id: { $oid: '2'.repeat(24) },
  name: 'x',
  enabled: true,
  condition_typ: 'anyway',
  conditions: [],
  outcomes: [],
};
/** The id of the run of a playbook that the test began. */
export const RUN = '1'.repeat(24);

/** The id of the plan that the test made. */
export const PLAN = '3'.repeat(24);

/** What each operation is asked, where it needs something; the names stand in the data of the test. */
export const SAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'accounts/get-account': { name: 'crm' },
  'accounts/new-preset': { name: 'mycmdb' },
  'accounts/show-account': { name: 'crm' },
  'cron/set-run-once-next': { job_name: 'nightly', run_once_next: true },
  'cron/show-group': { group_name: 'nightly' },
  'cron/trigger-group': { group_name: 'nightly' },
  'hosts/delete-host': { hostname: 'web1' },
  'hosts/explain-host': { hostname: 'web1' },
  'hosts/find-by-key': { key: 'serial=J4711' },
  'search/count-hosts': { where: 'site:*', fields: ['site'] },
  'search/search-hosts': { where: 'NOT site:nowhere', sort: '-name' },
  'hosts/get-host': { hostname: 'web1' },
  'hosts/host-history': { hostname: 'web1', limit: 20 },
  'hosts/list-hosts': { start: 0, limit: 100 },
  'hosts/save-host': { hostname: 'web1', account: 'crm', labels: {} },
  'hosts/save-inventory': { hostname: 'web1', key: 'k', inventory: {} },
  'hosts/show-host': { hostname: 'web1' },
  'inventory/browse-inventory': { provider: 'automation' },
  'inventory/render-inventory': { provider: 'automation' },
  'exports/list-published': { account: 'crm' },
  'exports/read-published': { account: 'crm', file: 'hosts.json' },
  'exports/show-published': { account: 'crm', file: 'hosts.json' },
  'plans/show-plan': { plan: PLAN },
  'playbooks/show-run': { run: RUN },
  'relations/list-relations': { hostname: 'web1' },
  'rules/create-rule': { rule_type: 'automation_filter', rule: RULE },
  'rules/find-rules': { rule_type: 'automation_filter' },
  'rules/import-rules': { rules: {}, payload: { rules: {} } },
  'rules/list-counted-rules': { rule_type: 'automation_playbook_fire' },
  'rules/list-rules': { rule_type: 'automation_filter' },
  'rules/list-unworkable-rules': { rule_type: 'automation_filter' },
  'rules/rule-history': { rule_type: 'automation_filter', rule: 'r' },
  'rules/rules-impact': { rules: { automation_filter: [RULE] } },
  'rules/show-rule': { rule_type: 'automation_filter', rule: 'r' },
  'rules/try-rule': { rule_type: 'automation_filter', document: RULE, hostname: 'web1' },
  'rules/try-list': { rule_type: 'automation_customvars', document: { ...RULE, list_source: 'hostname;x\nrow1;1' } },
  'system/check-export': { rules: {} },
  'system/compare-inventory': { theirs: '{"_meta":{"hostvars":{}},"all":{"hosts":[]}}' },
  'syncer/get-service-log': { service_name: 'nightly tidy' },
  'users/list-sessions': { name: 'reader' },
  'users/list-tokens': { name: 'root' },
  'users/show-user': { name: 'root' },
};
