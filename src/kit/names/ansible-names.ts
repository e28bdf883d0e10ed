import type { JsonValue } from '../../ports/json.ts';
import { hasControlCharacter } from '../unicode.ts';

/**
 * Handling of Ansible's own variables in data: `safe` serves those that only give the address of a host, `drop` none of them,
 * `serve` all.
 */
export type AnsibleLabelsMode = 'safe' | 'drop' | 'serve';

/**
 * Names that ansible-core and connection, become and shell plugins read as options. Read from the `vars:` of all plugins and
 * the settings of ansible-core 2.14, 2.17 and 2.19: `ansible_…`, `_ansible_…` (debuggers of modules), and such as
 * `delegated_vars['ansible_host']`, which is looked up by just that name and is an argument of ssh.
 */
const OWN_NAME = /^_*ansible_|^delegated_vars\b/;
/** Says where a host belongs, starts nothing, and is ours. */
const GROUPS = 'ansible_groups';

/** True for a variable by which Ansible decides how it connects and which programs it runs for that. */
export function isAnsibleVariable(name: string): boolean {
  return OWN_NAME.test(name) && name !== GROUPS;
}

/** A name that such a variable may come from, in any mode of names: cheap, and never false for one that counts. */
export function mayBecomeAnsibleVariable(name: string): boolean {
  return name.includes('ansible');
}

const ADDRESS = /^[A-Za-z0-9_:.][A-Za-z0-9_:.-]*(?:%[A-Za-z0-9_.-]+)?$/;
const USER = /^[A-Za-z0-9_][A-Za-z0-9_.@+\\-]*$/;
const MODULE = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/;
const LONGEST = 255;

/** Variables that only say where a host is, with the values that are such a thing and nothing else. */
const WHERE: ReadonlyMap<string, (value: JsonValue) => boolean> = new Map([
  ['ansible_host', (value) => isText(value, ADDRESS)],
  ['ansible_port', isPort],
  ['ansible_user', (value) => isText(value, USER)],
  ['ansible_network_os', (value) => isText(value, MODULE)],
]);

export function saysWhere(name: string): boolean {
  return WHERE.has(name);
}

/** Whether a value is allowed for a variable that gives the address of a host. */
function isHarmlessPlace(name: string, value: JsonValue): boolean {
  return WHERE.get(name)?.(value) === true;
}

/** Characters that OpenSSH, the shell of a proxy command or the options of other programs interpret as more than a name. */
const MORE_THAN_A_NAME = /^-|[\s'"`$;&<>|(){}!*?#~]/;

/**
 * The same where a rule of an administrator gives the name: paths of containers and names of pods pass too, but the value may
 * still come from a label, so it must not become an option or a command.
 */
function isPlaceOfRule(name: string, value: JsonValue): boolean {
  if (name === 'ansible_host' || name === 'ansible_user') {
    return typeof value !== 'string' || !(MORE_THAN_A_NAME.test(value) || hasControlCharacter(value));
  }
  return true;
}

function isText(value: JsonValue, pattern: RegExp): boolean {
  return typeof value === 'string' && value.length <= LONGEST && pattern.test(value);
}

function isPort(value: JsonValue): boolean {
  const port = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value;
  return typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= 65_535;
}

/** Why a variable is not served; `undefined` when it is. `vouched` is true when a rule of an administrator names it. */
export function withheldReason(
  name: string,
  value: JsonValue,
  mode: AnsibleLabelsMode,
  vouched: boolean,
): string | undefined {
  if (isReservedMember(name)) return RESERVED_MEMBER;
  if (mode === 'serve' || !isAnsibleVariable(name)) return undefined;
  if (vouched) return isPlaceOfRule(name, value) ? undefined : NO_SUCH_VALUE;
  if (mode === 'drop') return FROM_DATA;
  if (!saysWhere(name)) return FROM_DATA;
  return isHarmlessPlace(name, value) ? undefined : NO_SUCH_VALUE;
}

const FROM_DATA = 'it comes from data; only a rule of an administrator that names it may set it';
const NO_SUCH_VALUE = 'its value is not the name or address of anything';
const RESERVED_MEMBER = 'Ansible uses member names of this kind internally, and refuses the whole inventory';

/**
 * Members that the JSON reader of ansible-core takes for marks of its own (`__ansible_unsafe`, `__ansible_vault`,
 * `__ansible_type`), at any depth: one that it does not understand makes it drop the whole document and go on without hosts.
 */
export function isReservedMember(name: string): boolean {
  return name.startsWith('__ansible_');
}

/**
 * Names that Jinja reads as values and operators; ansible-core 2.19 refuses variables with these names, and earlier versions
 * cannot read them.
 */
const JINJA = new Set(['true', 'false', 'none', 'True', 'False', 'None', 'not']);
/** Python keywords: ansible-core up to 2.18 refuses them as names. */
const PYTHON = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal or pass raise return try while with yield'.split(
    ' ',
  ),
);
/** Keywords of plays, roles, blocks and tasks, and global functions of templates, as ansible-core 2.19 lists them. */
const RESERVED = new Set(
  'action always any_errors_fatal args async async_val become become_exe become_flags become_method become_user block changed_when check_mode collections connection cycler debugger delay delegate_facts delegate_to dict diff environment fact_path failed_when force_handlers gather_facts gather_timeout handlers hosts ignore_errors ignore_unreachable joiner lipsum local_action lookup loop loop_control loop_with max_fail_percentage module_defaults name namespace no_log notify now omit order poll port post_tasks pre_tasks q query range register remote_user rescue retries roles run_once serial strategy tags tasks throttle timeout undef until vars vars_files vars_prompt when with_'.split(
    ' ',
  ),
);
/** Variables that Ansible sets itself for every host: a variable of this name is never read. */
const MAGIC = new Set(
  'groups group_names hostvars inventory_hostname inventory_hostname_short inventory_dir inventory_file playbook_dir play_hosts role_name role_names role_path omit environment'.split(
    ' ',
  ),
);

/** Returns how Ansible treats a variable of this name; `undefined` if it is an ordinary one. */
export function nameTrouble(name: string): 'refused' | 'reserved' | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || JINJA.has(name) || PYTHON.has(name)) return 'refused';
  return RESERVED.has(name) || MAGIC.has(name) ? 'reserved' : undefined;
}
