import * as z from 'zod';
import { issueText, PLAIN_MESSAGES } from '../../../kit/plain-message.ts';
import { AppError, type PluginHost } from '../../../ports/index.ts';
import { isRole } from '../caller.ts';
import { ownedBy } from '../turns.ts';
import { checkedFilter, checkedOperator, type WordOwner } from './checked-language.ts';

/** Names are used in commands, paths and options, where `--list` would look like an option. */
const ID = /^[a-z][a-z0-9_-]{0,99}$/i;
const PROVIDER = /^[\p{L}\p{N}_][\p{L}\p{N} ._-]{0,99}$/u;
/** Jobs are called by what people write in the groups of existing installations: `Netbox: Import Devices`. */
const JOB = /^[\p{L}\p{N}][^\p{Cc}]{0,199}$/u;

const text = z.string().trim().min(1);
const id = nameOf(ID, 'a name of letters, digits, - and _ that begins with a letter');
const call = z.custom<unknown>((value) => typeof value === 'function', 'must be a function');
const options = z.custom<unknown>(isSchema, 'must be a schema; `z` of muster/plugin-api makes them');
const described = { id, title: text, description: z.string() };
const aliases = z.array(nameOf(JOB, 'a name'));

const ruleType = z.looseObject({
  ...described,
  aliases,
  keyedBy: text,
  uniqueNames: z.boolean(),
  conditional: z.boolean(),
  exportGroup: z.enum(['rules', 'hosts', 'accounts', 'users', 'passwords']),
  secretMembers: z.array(z.string()),
  schema: z.record(z.string(), z.unknown()),
  check: call,
  evaluation: z.looseObject({ stage: z.string(), compile: call }).optional(),
});

const source = z.looseObject({ ...described, aliases: aliases.optional(), options, open: call });

const kind = z.looseObject({ id: z.string(), title: text, fields: z.record(z.string(), z.looseObject({})) });
const target = z.looseObject({
  ...described,
  aliases: aliases.optional(),
  options,
  open: call,
  kinds: z.union([z.literal('by_account'), z.array(kind)]).optional(),
  parts: z.array(z.looseObject({ id: text, title: text, kinds: z.array(z.string()) })).optional(),
});

const job = z.looseObject({
  id: nameOf(JOB, 'a name that begins with a letter or a digit'),
  aliases,
  description: z.string(),
  account: z.enum(['required', 'optional', 'none']),
  run: call,
});

const jobName = z.looseObject({
  name: nameOf(JOB, 'a name that begins with a letter or a digit'),
  logsAs: z.array(text),
  job: text.optional(),
  system: z.looseObject({ title: text, accountType: text }).optional(),
  nothing: text.optional(),
});

const word = nameOf(/^[a-z][a-z0-9_]{0,59}$/, 'a name of lower-case letters, digits and _ that begins with a letter');
const templateFilter = z.looseObject({ id: word, description: text, apply: call });
const conditionOperator = z.looseObject({
  id: word,
  description: text,
  words: z.tuple([text, text], 'must be two texts: how a condition with it reads, and how a negated one does'),
  compile: call,
});

const channel = z.looseObject({ ...described, options, open: call });

const signIn = z.looseObject({ ...described, kind: z.enum(['password', 'redirect', 'proxy']), options, open: call });

const secretSource = z.looseObject({
  ...described,
  id: nameOf(/^[a-z][a-z0-9-]{0,39}$/, 'a name of lower-case letters, digits and - that begins with a letter'),
  example: text,
  problem: call.optional(),
  open: call,
});

const dashed = nameOf(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'lower-case words joined by dashes');
const roles = z
  .array(z.string().refine((role) => role === 'admin' || isRole(role), 'is not a role'))
  .min(1, 'must name at least one role');

const processor = z.looseObject({ ...described, id: dashed, options, open: call });

const action = z.looseObject({
  id: dashed,
  title: text,
  description: text,
  effect: z.enum(['read', 'write', 'destructive']),
  roles,
  withinAccounts: z.literal(true).optional(),
  at: z.strictObject({
    rest: z.boolean().optional(),
    command: z.boolean().optional(),
    tool: z.boolean().optional(),
    page: z.boolean().optional(),
  }),
  input: objectSchema(),
  output: objectSchema(),
  run: call,
});

const page = z.looseObject({ id: dashed, title: text, roles, html: text });

const scheme = nameOf(/^[a-z][a-z0-9+.-]{0,39}$/, 'what an address begins with, in lower case and without the colon');
const store = z.looseObject({
  schemes: z.array(scheme).min(1, 'must name at least one'),
  addresses: text,
  isShared: z.boolean(),
  open: call,
  files: call,
});

const provider = z.object({
  name: nameOf(PROVIDER, 'a name of letters, digits, -, _ and . that begins with a letter or a digit'),
  factory: call,
});

/**
 * Returns the door for external plugins: it checks what they register, so that an incomplete plugin is left out by name instead
 * of failing for its users. It closes when the plugin has registered.
 */
export function checkedDoor(door: PluginHost, owner: WordOwner): PluginHost & { close(): void } {
  let isOpen = true;
  const checked = (what: string, schema: z.ZodType, value: unknown): void => {
    if (!isOpen) throw refused(`${what} came after register had ended; register everything before it returns`);
    const result = schema.safeParse(value, PLAIN_MESSAGES);
    if (result.success) return;
    const name = nameIn(value);
    const problems = result.error.issues.map(issueText);
    throw refused(`${name === undefined ? what : `${what} ${name}`}: ${problems.join('; ')}`);
  };
  return {
    logger: door.logger,
    close() {
      isOpen = false;
    },
    ruleType(type) {
      checked('rule type', ruleType, type);
      ownedBy({ pluginId: owner.pluginId, what: `rules of type ${type.id}` }, type);
      door.ruleType(type);
    },
    source(type) {
      checked('source', source, type);
      door.source(type);
    },
    target(type) {
      checked('target', target, type);
      door.target(type);
    },
    job(type) {
      checked('job', job, type);
      door.job(type);
    },
    jobName(name) {
      checked('job name', jobName, name);
      door.jobName(name);
    },
    templateFilter(filter) {
      checked('template filter', templateFilter, filter);
      door.templateFilter(checkedFilter(filter, owner));
    },
    conditionOperator(operator) {
      checked('condition operator', conditionOperator, operator);
      door.conditionOperator(checkedOperator(operator, owner));
    },
    notificationChannel(type) {
      checked('notification channel', channel, type);
      door.notificationChannel(type);
    },
    signInMethod(type) {
      checked('sign-in method', signIn, type);
      door.signInMethod(type);
    },
    secretSource(type) {
      checked('secret source', secretSource, type);
      door.secretSource(type);
    },
    recordProcessor(type) {
      checked('record processor', processor, type);
      door.recordProcessor(type);
    },
    action(item) {
      checked('action', action, item);
      door.action(item);
    },
    page(item) {
      checked('page', page, item);
      door.page(item);
    },
    store(driver) {
      checked('store', store, driver);
      door.store(driver);
    },
    inventoryProvider(name, factory) {
      checked('inventory provider', provider, { name, factory });
      door.inventoryProvider(name, factory);
    },
    inventoryProviderFamily(name, factory) {
      checked('family of inventory providers', provider, { name, factory });
      door.inventoryProviderFamily(name, factory);
    },
  };
}

function nameOf(shape: RegExp, what: string): z.ZodType<string> {
  return z
    .string()
    .regex(shape, `must be ${what}`)
    .refine((name) => !(name in {}), 'is a name that every object has; choose another one');
}

/** Entrances make parameters and schemas of its members. */
function objectSchema(): z.ZodType {
  return z.custom<unknown>(
    (value) => value instanceof z.ZodObject,
    'must be the schema of an object, made with `z` of muster/plugin-api',
  );
}

function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'safeParse' in value;
}

function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, name } = value as { readonly id?: unknown; readonly name?: unknown };
  const shown = id ?? name;
  return typeof shown === 'string' ? JSON.stringify(shown.slice(0, 100)) : undefined;
}

function refused(message: string): AppError {
  return new AppError('invalid_input', message);
}
