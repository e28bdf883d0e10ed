import { listAccountTypes } from '../../../../app/accounts/operations/list-account-types.ts';
import { showAccounts } from '../../../../app/accounts/operations/show-accounts.ts';
import type { ValueOperation } from '../../../../app/kernel/operation.ts';
import { listRuleTypes } from '../../../../app/rules/operations/list-rule-types.ts';
import { listRules } from '../../../../app/rules/operations/list-rules.ts';
import { listCronGroups } from '../../../../app/runs/cron/operations/list-groups.ts';
import { searchHosts } from '../../../../app/search/operations/search-hosts.ts';
import { listUsers } from '../../../../app/users/operations/list-users.ts';
import type { CommandContext } from '../../context.ts';

/** A shell shows no more in a useful way. */
const MOST = 100;
/** Characters that the query language allows in a word. */
const PLAIN = /^[\w.-]*$/;

/** The position on the command line that names are requested for. */
export interface NamePlace {
  /** `muster account show` */
  readonly command: string;
  /** The name of the argument, or the long form of the option. */
  readonly of: string;
  readonly begun: string;
  /** Arguments before, and the value of each option so far. */
  readonly before: readonly string[];
  readonly options: ReadonlyMap<string, string>;
}

/**
 * Returns the names of stored items, and the values that types and options accept, for a position on the command line. Empty if
 * any text is allowed there, and if there is no store: pressing a key neither creates nor upgrades one.
 */
export async function namesFor(place: NamePlace, context: CommandContext): Promise<readonly string[]> {
  const { command, of, before } = place;
  const [, group = ''] = command.split(' ');
  if (of === '--set' || of === '--set-from' || of === '--set-stdin') return optionsFor(place, context);
  if (of === '--type') return group === 'account' ? typeNames(context) : ruleTypes(context);
  if (of === '--account' || of === 'account') return accounts(context);
  if (of === 'hostname') return hosts(context, place.begun);
  if (group === 'rules' && of === 'type') return ruleTypes(context);
  if (group === 'rules' && of === 'rule') return rules(context, before[0] ?? '');
  if (group === 'cron' && of === 'group') {
    const { groups } = await asked(context, listCronGroups, {});
    return groups.map(({ name }) => name);
  }
  if (of !== 'name' || / (add|create|new)$/.test(command)) return [];
  if (group === 'account') return accounts(context);
  if (group !== 'user') return [];
  const { users } = await asked(context, listUsers, {});
  return users.map(({ name }) => name);
}

function asked<Input, Output>(
  context: CommandContext,
  operation: ValueOperation<Input, Output>,
  input: unknown,
): Promise<Output> {
  context.quiet = true;
  return context.value(operation, input);
}

async function accounts(context: CommandContext): Promise<readonly string[]> {
  return (await asked(context, showAccounts, {})).accounts.map(({ name }) => name);
}

async function hosts(context: CommandContext, begun: string): Promise<readonly string[]> {
  if (!PLAIN.test(begun)) return [];
  const where = begun === '' ? {} : { where: `name:${begun}*` };
  const found = await asked(context, searchHosts, { ...where, state: 'active', kind: 'all', limit: MOST });
  return found.hosts.map(({ hostname }) => hostname);
}

async function rules(context: CommandContext, rule_type: string): Promise<readonly string[]> {
  const { body } = await context.stream(listRules, { rule_type });
  let text = '';
  for await (const chunk of body) text += String(chunk);
  const { rules: all } = JSON.parse(text) as { readonly rules: readonly { readonly name?: unknown }[] };
  return all.flatMap(({ name }) => (typeof name === 'string' ? [name] : [])).slice(0, MOST);
}

/** Types need no store. */
async function typeNames(context: CommandContext): Promise<readonly string[]> {
  return (await types(context)).map(({ id }) => id);
}

async function types(context: CommandContext) {
  context.start = 'none';
  return (await asked(context, listAccountTypes, {})).types;
}

async function ruleTypes(context: CommandContext): Promise<readonly string[]> {
  context.start = 'optional';
  return (await asked(context, listRuleTypes, {})).rule_types;
}

interface Choices {
  readonly enum?: readonly unknown[];
  readonly type?: unknown;
  readonly anyOf?: readonly Choices[];
}

/** `option=` of the type, and behind the sign the values of an option that takes only some. */
async function optionsFor(
  { options, before, begun, of }: NamePlace,
  context: CommandContext,
): Promise<readonly string[]> {
  const named = options.get('--type') ?? (await typeOf(context, before[0] ?? ''));
  // The store is already open if the type comes from it.
  const all = options.has('--type') ? await types(context) : (await asked(context, listAccountTypes, {})).types;
  const type = all.find(({ id, aliases }) => id === named || aliases.includes(named));
  if (type === undefined) return [];
  const members = { ...membersOf(type.common_options), ...membersOf(type.options) };
  if (of === '--set-stdin') return Object.keys(members);
  const [key = '', value] = begun.split('=');
  if (value === undefined) return Object.keys(members).map((name) => `${name}=`);
  return valuesOf(members[key]).map((one) => `${key}=${one}`);
}

async function typeOf(context: CommandContext, account: string): Promise<string> {
  const { accounts: all } = await asked(context, showAccounts, {});
  return all.find(({ name }) => name === account)?.type ?? '';
}

function membersOf(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, Choices>> {
  return (schema.properties ?? {}) as Readonly<Record<string, Choices>>;
}

/** Switches take other words for yes and no, too. */
function isSwitch({ type, anyOf = [] }: Choices): boolean {
  return type === 'boolean' || anyOf.some(isSwitch);
}

function valuesOf(member: Choices | undefined): readonly string[] {
  if (member?.enum !== undefined) return member.enum.map(String);
  return member !== undefined && isSwitch(member) ? ['true', 'false'] : [];
}
