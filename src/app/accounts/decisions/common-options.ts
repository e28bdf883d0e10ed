/**
 * The options that accounts of every type have, whoever provides the type. None of them names a file or anything else on the
 * machine.
 */
export const COMMON_ACCOUNT_OPTIONS: ReadonlySet<string> = new Set([
  'rewrite_hostname',
  'lowercase_hostname',
  'check_for_valid_hostname',
  'require_fqdn',
  'delete_host_if_not_found_on_import',
  'delete_threshold_percent',
  'allow_empty',
  'mode',
  'precedence',
  'owned_labels',
  'project',
]);
