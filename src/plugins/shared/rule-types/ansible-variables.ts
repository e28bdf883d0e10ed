import type { JsonValue } from '../../../ports/json.ts';
import type { RuleHost } from '../../../ports/rule-type.ts';

/** Whether a name given in a document must be confirmed: it may become one of Ansible's own. */
export function needsConfirmation(name: string): boolean {
  return name.includes('ansible') && name !== 'ansible_groups';
}

/**
 * Returns a setter for the attribute of a name given in the document. The check is done once, so that other names cost nothing.
 */
export function attributeSetter(name: string): (host: RuleHost, value: JsonValue) => void {
  if (!needsConfirmation(name)) return (host, value) => void host.attributes.set(name, value);
  return (host, value) => {
    host.attributes.set(name, value);
    host.vouch(name, value);
  };
}

/** Returns the effects on a machine of a document that sets variables of these names. */
export function actsOfVariables(names: readonly string[]): readonly string[] {
  const steering = [...new Set(names.filter(steersConnection))];
  return steering.length === 0 ? [] : [`says how Ansible connects and what it runs (${steering.join(', ')})`];
}

/** Names that only say where a host is, or which groups it is in, start nothing. */
const HARMLESS: ReadonlySet<string> = new Set([
  'ansible_host',
  'ansible_port',
  'ansible_user',
  'ansible_network_os',
  'ansible_groups',
]);

/** As inventories decide it, whatever characters they make identifiers of. */
function steersConnection(name: string): boolean {
  const identifier = name.replaceAll(/[^A-Za-z0-9_]/gu, '_');
  return /^_*ansible_|^delegated_vars/.test(identifier) && !HARMLESS.has(identifier);
}
