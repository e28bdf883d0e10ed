// What `npm run same` asks: the names are those of the sample and of the documents below.

const HOST = 'mwdebug2001.codfw.wmnet';

/** Rules and a group that the questions name. */
export const DOCUMENTS = {
  rules: {
    automation_projects: [{ name: 'same_project', enabled: true }],
    automation_filter: [
      {
        name: 'same_rule',
        enabled: true,
        condition_typ: 'anyway',
        conditions: [],
        outcomes: [{ action: 'whitelist_attribute', attribute_name: 'site' }],
      },
    ],
    cron_groups: [{ name: 'nightly', enabled: false, jobs: [{ command: 'Maintenance' }] }],
  },
};

const RULE = {
  name: 'tried',
  enabled: true,
  condition_typ: 'anyway',
  conditions: [],
  outcomes: [{ action: 'ignore_hosts', attribute_name: '' }],
};
const FILTER = { rule_type: 'automation_filter' };

/** Values of parameters of paths. */
export const PATH_VALUES = {
  hostname: HOST,
  provider: 'automation',
  account: 'nodes',
  rule_type: 'automation_filter',
  project: 'same_project',
  service_name: 'import:nodes',
};

/** Queries of paths that need one. */
export const QUERIES = {
  '/api/v1/objects/by-key': { key: 'serial=J4711' },
  '/api/v1/objects/search': { where: 'site:codfw' },
  '/api/v1/objects/search/table': { where: 'site:codfw', format: 'json' },
  '/api/v1/inventory/automation/{provider}/changes': { since: '2026-01-01T00:00:00Z' },
  '/api/v1/rules/{rule_type}/failing-hosts': { rule: 'same_rule' },
  '/api/v1/rules/uses': { attribute: 'site' },
};

/** Rules that make a device of each real host. */
export const NETBOX_RULES = {
  netbox_devices: [
    {
      name: 'same_devices',
      enabled: true,
      condition_typ: 'all',
      conditions: [{ match_type: 'tag', tag: 'cluster', tag_match: 'equal', value: '', value_match: 'ignore' }],
      outcomes: [
        { action: 'device_type', param: '{{ cluster }}' },
        { action: 'device_type.manufacturer', param: 'Dell' },
        { action: 'role', param: 'Server' },
        { action: 'site', param: '{{ site }}' },
      ],
    },
  ],
};

/** Commands that read; each is asked for a table and for JSON. */
export const COMMANDS = [
  ['status'],
  ['doctor'],
  ['config', 'show'],
  ['host', 'list'],
  ['host', 'list', '--where', 'site:codfw', '--columns', 'hostname,site'],
  ['host', 'show', HOST],
  ['host', 'explain', HOST],
  ['host', 'history', HOST],
  ['host', 'quality'],
  ['host', 'changes'],
  ['host', 'relations', HOST],
  ['host', 'find', 'serial=J4711'],
  ['host', 'archive', HOST, '--dry-run'],
  ['account', 'list'],
  ['account', 'show', 'nodes'],
  ['account', 'types'],
  ['account', 'test', 'nodes'],
  ['preset', 'list'],
  ['import', 'nodes', '--dry-run'],
  ['export', 'out', '--dry-run'],
  ['plan', 'list'],
  ['published', 'list', 'out'],
  ['rules', 'types'],
  ['rules', 'list', 'automation_filter'],
  ['rules', 'show', 'automation_filter', 'same_rule'],
  ['rules', 'history', 'automation_filter', 'same_rule'],
  ['rules', 'uses', 'site'],
  ['rules', 'waiting'],
  ['cron', 'list'],
  ['run', 'list'],
  ['run', 'active'],
  ['playbook', 'list'],
  ['notification', 'list'],
  ['sign-in', 'list'],
  ['search', 'list'],
  ['user', 'list'],
  ['user', 'show', 'root'],
  ['plugins'],
  ['logs'],
  ['logs', '--audit'],
  ['inventory-providers'],
  ['storage', 'check'],
];

/** What operations of pages are asked that need something. */
export const INPUTS = {
  'accounts/get-account': { name: 'nodes' },
  'accounts/list-account-runs': {},
  'accounts/show-account': { name: 'nodes' },
  'cron/show-group': { group_name: 'nightly' },
  'hosts/explain-host': { hostname: HOST },
  'hosts/find-by-key': { key: 'serial=J4711' },
  'hosts/get-host': { hostname: HOST },
  'hosts/host-history': { hostname: HOST, limit: 20 },
  'hosts/list-hosts': { start: 0, limit: 100 },
  'hosts/show-host': { hostname: HOST },
  'hosts/values-since': { hostname: HOST },
  'inventory/browse-inventory': { provider: 'automation' },
  'inventory/check-names': { provider: 'automation' },
  'inventory/compare-times': { provider: 'automation', since: '2026-01-01T00:00:00Z' },
  'inventory/render-inventory': { provider: 'automation' },
  'relations/list-relations': { hostname: HOST },
  'relations/show-graph': { hostname: HOST, hops: 2, limit: 10 },
  'rules/compare-versions': { ...FILTER, rule: 'same_rule', from: 1, to: 1 },
  'rules/count-matches': { ...FILTER, document: RULE },
  'rules/explain-no-change': { ...FILTER, document: RULE },
  'rules/failing-hosts': { ...FILTER, rule: 'same_rule', seconds: 60, limit: 100 },
  'rules/find-attribute-uses': { attribute: 'site' },
  'rules/find-rules': FILTER,
  'rules/list-counted-rules': { rule_type: 'automation_playbook_fire' },
  'rules/list-rules': FILTER,
  'rules/list-unworkable-rules': FILTER,
  'rules/rule-history': { ...FILTER, rule: 'same_rule' },
  'rules/rules-impact': { rules: { automation_filter: [RULE] } },
  'rules/show-project': { project: 'same_project', seconds: 60 },
  'rules/show-rule': { ...FILTER, rule: 'same_rule' },
  'rules/try-rule': { ...FILTER, document: RULE, hostname: HOST },
  'search/count-hosts': { where: 'site:*', fields: ['site'] },
  'search/host-table': { where: 'site:codfw', format: 'json' },
  'search/search-hosts': { where: 'site:codfw', sort: '-name' },
  'accounts/test-account': { name: 'nodes' },
  'exports/list-published': { account: 'out' },
  'rules/try-autorule': { document: { ...RULE, rule_type: 'automation_filter', rule_body: '{}' } },
  'rules/try-list': {
    rule_type: 'automation_customvars',
    document: { ...RULE, outcomes: [{ attribute_name: 'x', attribute_value: '1' }], list_source: 'hostname;x\nrow1;1' },
  },
  'system/check-export': { rules: {} },
  'users/list-sessions': { name: 'root' },
  'users/list-tokens': { name: 'root' },
  'users/show-user': { name: 'root' },
};

/** What tools are asked that need something. */
export const TOOL_INPUTS = {
  explain_host: { hostname: HOST },
  export_rules: FILTER,
  find_attribute_uses: { attribute: 'site' },
  find_hosts_by_key: { key: 'serial=J4711' },
  get_account: { name: 'nodes' },
  get_host: { hostname: HOST },
  list_published_files: { account: 'out' },
  search_hosts: { where: 'site:codfw' },
};
