import { worded } from '../../../kit/worded.ts';
import type { Wording } from '../../../ports/index.ts';
import { refused, required, shown } from './check.ts';
import { checkHostname } from './hostname.ts';

/** One part of a name between dots, RFC 1123: letters, digits and inner dashes, at most 63. */
const NAME_PART = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const ONLY_DIGITS = /^[0-9]+$/;

export interface HostnameRules {
  readonly check_for_valid_hostname: boolean;
  readonly require_fqdn: boolean;
}

/** Whether the account has rules of its own at all. */
export function hasHostnameRules(rules: HostnameRules): boolean {
  return rules.check_for_valid_hostname || rules.require_fqdn;
}

/** Why the account's own rules refuse a hostname; `undefined` when they do not. */
export function hostnameRuleFault(hostname: string, rules: HostnameRules): Wording | undefined {
  if (rules.check_for_valid_hostname && !isValidHostname(hostname)) {
    return worded`is not a valid hostname (RFC 1123: letters, digits and inner dashes between dots)`;
  }
  if (rules.require_fqdn && !isQualified(hostname)) return worded`is not fully qualified (name.domain)`;
  return undefined;
}

/** The name that a host is stored under, if the account takes it too. Throws `invalid_input`. */
export function checkAccountHostname(
  input: unknown,
  { name, hostnameRules }: { readonly name: string; readonly hostnameRules: HostnameRules },
): string {
  const hostname = checkHostname(input);
  const fault = hostnameRuleFault(hostname, hostnameRules);
  if (fault === undefined) return hostname;
  return required(
    refused(
      'hostname',
      worded`the hostname ${{ hostname: shown(hostname) }} ${{ fault }}, which account ${{ account: name }} asks for`,
    ),
  );
}

function isValidHostname(hostname: string): boolean {
  return hostname.length <= 253 && hostname.split('.').every((part) => NAME_PART.test(part));
}

/** An address (`10.0.0.1`) is not a qualified name. */
function isQualified(hostname: string): boolean {
  const parts = hostname.split('.');
  return parts.length > 1 && parts.every((part) => part !== '') && !ONLY_DIGITS.test(parts.at(-1) ?? '');
}
