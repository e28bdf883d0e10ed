import type { KeptType } from '../../ports/rule-type.ts';

/** One type whose documents are kept until something acts on them. */
export interface KeptTypeRow extends KeptType {
  readonly ident: string;
  readonly title: string;
  /** The member that names a document; absent: `name`. */
  readonly named?: string;
  /** Names may repeat, or be missing. */
  readonly repeats?: true;
  /** Members that are secrets, in addition to those with the name of a secret. Dotted paths. */
  readonly secrets?: readonly string[];
  /** Types of the documents that a member refers to. Dotted paths that reach into lists. */
  readonly references?: Readonly<Record<string, string>>;
}

const CHECKMK = { system: 'Checkmk', reason: 'wait for exports to Checkmk' } as const;
const NETBOX = {
  system: 'NetBox',
  reason:
    'are for the plugin of data flows of NetBox, which nothing here writes to; write such objects with an account of type rest_target',
} as const;
const VMWARE = { system: 'VMware', reason: 'wait for exports to VMware' } as const;
const NOTIFICATIONS = {
  system: 'notifications',
  reason:
    'have a shape that nothing here acts on; write receivers as accounts of a type such as mail, and rules as notification_policies',
} as const;

/** Every type of an existing installation that nothing here acts on yet. */
export const KEPT_TYPES: readonly KeptTypeRow[] = [
  { ident: 'cmk_bi_aggregation', title: 'Checkmk: BI aggregations', ...CHECKMK },
  { ident: 'cmk_bi_rule', title: 'Checkmk: BI rules', ...CHECKMK },
  { ident: 'cmk_dcd_rules', title: 'Checkmk: DCD connections', ...CHECKMK, references: { project: 'projects' } },
  { ident: 'cmk_downtimes', title: 'Checkmk: downtimes', ...CHECKMK },
  { ident: 'cmk_export_rules', title: 'Checkmk: folders, labels and attributes of hosts', ...CHECKMK },
  { ident: 'cmk_filter', title: 'Checkmk: filters', ...CHECKMK },
  { ident: 'cmk_groups', title: 'Checkmk: groups', ...CHECKMK },
  {
    ident: 'cmk_inventory',
    title: 'Checkmk: attributes to inventorize',
    system: 'Checkmk',
    reason: 'wait for inventories from Checkmk',
    named: 'attribute_names',
    repeats: true,
  },
  { ident: 'cmk_notification_rules', title: 'Checkmk: notification rules', ...CHECKMK },
  { ident: 'cmk_rewrite', title: 'Checkmk: rewritten attributes', ...CHECKMK },
  { ident: 'cmk_rules', title: 'Checkmk: rulesets', ...CHECKMK, references: { project: 'projects' } },
  { ident: 'cmk_site_pool', title: 'Checkmk: site pools', ...CHECKMK },
  { ident: 'cmk_tags', title: 'Checkmk: tag groups', ...CHECKMK, named: 'group_id', repeats: true },
  {
    ident: 'cmk_user',
    title: 'Checkmk: users',
    ...CHECKMK,
    named: 'user_id',
    repeats: true,
    secrets: ['password'],
    references: { generated_by_rule: 'cmk_user_generation' },
  },
  {
    ident: 'cmk_user_generation',
    title: 'Checkmk: users made from a directory',
    ...CHECKMK,
    references: { 'outcome.ldap_account': 'accounts' },
  },
  {
    ident: 'eda_events',
    title: 'Events of Ansible',
    system: 'Event-Driven Ansible',
    reason: 'wait for events to Event-Driven Ansible',
  },
  { ident: 'netbox_dataflow_fields', title: 'NetBox: fields of data flows', ...NETBOX },
  {
    ident: 'netbox_dataflow_models',
    title: 'NetBox: models of data flows',
    ...NETBOX,
    repeats: true,
    references: { connected_rules: 'netbox_dataflow_fields' },
  },
  {
    ident: 'notification_channels',
    title: 'Channels of notifications',
    ...NOTIFICATIONS,
    // Knowledge of such an address is enough to write to the channel.
    secrets: ['url', 'webhook', 'webhook_url'],
    references: { account: 'accounts' },
  },
  {
    ident: 'notification_rules',
    title: 'Rules of notifications',
    ...NOTIFICATIONS,
    references: { channels: 'notification_channels' },
  },
  {
    ident: 'projects',
    title: 'Projects of accounts',
    system: 'every export',
    reason: 'wait for exports that belong to a project; projects of inventories are `automation_projects`',
    references: {
      limit_by_accounts: 'accounts',
      deny_by_accounts: 'accounts',
      rule_limit_by_accounts: 'accounts',
      rule_deny_by_accounts: 'accounts',
    },
  },
  {
    ident: 'saved_searches',
    title: 'Saved searches',
    system: 'pages',
    reason: 'are listed among the saved searches of the hosts page, with the filters of the other installation',
    noRule: true,
    repeats: true,
  },
  {
    ident: 'system_config',
    title: 'Settings of the other installation',
    system: 'settings',
    reason: 'are settings of the other installation; those of this one are in its configuration',
    noRule: true,
    repeats: true,
    secrets: ['key', 'secret_key', 'cryptography_key', 'license_key'],
  },
  { ident: 'vmware_custom_attributes', title: 'VMware: custom attributes', ...VMWARE },
  { ident: 'vmware_rewrite_attributes', title: 'VMware: rewritten attributes', ...VMWARE, repeats: true },
];
