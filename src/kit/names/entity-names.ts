import ipaddr from 'ipaddr.js';
import { hasControlCharacter, isValidUnicode } from '../unicode.ts';
import { type AnsibleLabelsMode, isReservedMember } from './ansible-names.ts';

/** Names that stand for something else in the document, or that every ansible-core makes by itself. */
const RESERVED_HOSTS = new Set(['all', 'ungrouped']);
const RESERVED_GROUPS = new Set(['all', 'ungrouped', '_meta']);
/** Ansible's names for the controller itself: a host of such a name takes the place of it in every play. */
const CONTROLLER = new Set(['localhost', '127.0.0.1', '::1']);

/** Most names match this; a name that does and is not as long as any reserved one needs no further check. */
const PLAIN = /^[A-Za-z0-9][ -~]*$/;
const RESERVED_LENGTHS: ReadonlySet<number> = new Set([...RESERVED_HOSTS, ...CONTROLLER].map((name) => name.length));

/** True for a host that Ansible takes for the machine that it runs on. */
function isController(hostname: string): boolean {
  return CONTROLLER.has(hostname);
}

/** How the variables of a host are looked at: only rules may redirect a name that means the controller in every play. */
export function labelsModeOf(hostname: string, mode: AnsibleLabelsMode): AnsibleLabelsMode {
  return mode === 'safe' && isController(hostname) ? 'drop' : mode;
}

/**
 * Why a host of this name would take others away from a consumer, or run programs there; `undefined` when it would not.
 * `hasConnection` is true when a rule of an administrator says how it is reached.
 */
export function hostnameFault(hostname: string, hasConnection: boolean): string | undefined {
  if (PLAIN.test(hostname) && !RESERVED_LENGTHS.has(hostname.length)) return undefined;
  if (hostname === '') return 'its name is empty';
  if (hostname.charCodeAt(0) === 0x2d) return 'its name begins with "-", which ssh takes for an option';
  if (RESERVED_HOSTS.has(hostname)) return 'Ansible has a group of this name, and refuses inventories with such a host';
  if (!hasConnection && isController(hostname)) {
    return 'Ansible uses this name for the controller; it is served only if a rule of an administrator sets its ansible_connection';
  }
  if (isReservedMember(hostname)) return 'Ansible uses this name internally';
  return isUnprintable(hostname) ? 'its name contains control characters' : undefined;
}

/** Why a group of this name would take hosts away from a consumer; `undefined` when it would not. */
export function groupFault(group: string): string | undefined {
  if (group === '') return 'its name is empty';
  if (RESERVED_GROUPS.has(group)) return 'Ansible creates this group itself';
  if (CONTROLLER.has(group)) return 'Ansible means the controller by this name';
  if (isReservedMember(group)) return 'Ansible uses this name internally';
  return isUnprintable(group) ? 'its name contains control characters' : undefined;
}

const OWN_NAMES =
  /^(?:localhost[46]?(?:\.localdomain[46]?)?|ip6-(?:localhost|loopback|localnet|mcastprefix|allnodes|allrouters|allhosts)|broadcasthost|.+\.localhost)$/i;

/**
 * True for a name or an address, in any notation, with which a machine refers to itself: from any other machine, it leads
 * elsewhere.
 */
export function isOwnMachine(nameOrAddress: string): boolean {
  const text = nameOrAddress.replace(/\.$/, '');
  if (OWN_NAMES.test(text)) return true;
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return address.range() === 'loopback' || /^(?:0\.0\.0\.0|::)$/.test(address.toString());
}

/** Why a host of this name is written into no file that machines look names up in; `undefined` when it may be. */
export function lookedUpFault(hostname: string): string | undefined {
  const name = hostname.replace(/\.$/, '').toLowerCase();
  if (isOwnMachine(name)) return 'its name is one by which every machine means itself';
  return RESERVED_HOSTS.has(name) ? 'its name is reserved' : undefined;
}

/** Control characters, and halves of surrogate pairs, which have no UTF-8 form. */
function isUnprintable(name: string): boolean {
  return hasControlCharacter(name) || !isValidUnicode(name);
}
