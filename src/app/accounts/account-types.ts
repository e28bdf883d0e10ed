import * as z from 'zod';
import { API_ACCOUNT_TYPES } from '../../kit/account-options/api-accounts.ts';
import { checkedProcessors } from '../../kit/account-options/chosen-processors.ts';
import { exportOptions } from '../../kit/account-options/export-options.ts';
import { importOptions } from '../../kit/account-options/import-options.ts';
import { objectExportOptions } from '../../kit/account-options/object-export-options.ts';
import { memberText } from '../../kit/document/members.ts';
import { maskedError } from '../../kit/masking/masked.ts';
import { settingsMask } from '../../kit/masking/secret-mask.ts';
import { aliasesOf } from '../../kit/options/aliases.ts';
import { compileHostnameTemplate } from '../../kit/options/hostname-template.ts';
import { secretOptionsOf } from '../../kit/options/secret-options.ts';
import { detailOf, phrase, worded } from '../../kit/worded.ts';
import {
  AppError,
  isObjectTarget,
  type ObjectTargetType,
  type RuleDocument,
  type SourceType,
  type TargetType,
  type Wording,
} from '../../ports/index.ts';
import type { Account } from './account-directory.ts';
import { parseAccountOptions } from './decisions/account-options.ts';
import { signInOptions } from './decisions/sign-in-options.ts';
import { parseTypeOptions } from './decisions/type-options.ts';
import type { AccountServices } from './services.ts';

type TypedAccount = Pick<Account, 'name' | 'type'>;

/** The use of an account; `both`: it is a source and a target; `unknown`: no plugin provides its type. */
export type AccountKind = 'source' | 'target' | 'both' | 'channel' | 'sign_in' | 'api' | 'unknown';

export function accountKind(services: AccountServices, type: string): AccountKind {
  const isTarget = services.plugins.target(type) !== undefined;
  if (services.plugins.source(type) !== undefined) return isTarget ? 'both' : 'source';
  if (isTarget) return 'target';
  if (services.plugins.notificationChannel(type) !== undefined) return 'channel';
  if (services.plugins.signInMethod(type) !== undefined) return 'sign_in';
  return API_ACCOUNT_TYPES.has(type) ? 'api' : 'unknown';
}

/** The kind of runs of accounts of the type; undefined: nothing is imported from them or exported to them. */
export function runKind(services: AccountServices, type: string): 'source' | 'target' | 'both' | undefined {
  const kind = accountKind(services, type);
  return kind === 'source' || kind === 'target' || kind === 'both' ? kind : undefined;
}

/** The source type of an account. Throws for accounts of another kind, and names that kind. */
export function sourceTypeOf(services: AccountServices, account: TypedAccount): { type: SourceType; pluginId: string } {
  const registered = services.plugins.source(account.type);
  if (registered !== undefined) return { type: registered.item, pluginId: registered.pluginId };
  throw otherKind(services, account, {
    api: worded`it is written through the API and has nothing to import`,
    channel: worded`notifications are sent through it; run "muster notification test ${{ name: account.name }}"`,
    sign_in: worded`people log in with it; run "muster sign-in test ${{ name: account.name }}"`,
    target: worded`hosts are exported to it; run "muster export ${{ name: account.name }}"`,
  });
}

/** The target type of an account, one that writes all hosts at once. Throws for other accounts, and says what they are. */
export function targetTypeOf(services: AccountServices, account: TypedAccount): { type: TargetType; pluginId: string } {
  const { type, pluginId } = anyTargetTypeOf(services, account);
  if (!isObjectTarget(type)) return { type, pluginId };
  throw new AppError('internal', `account ${account.name} has a target with objects`);
}

/** The target type of an account whose target has objects. Throws for other accounts, and says what they are. */
export function objectTargetTypeOf(
  services: AccountServices,
  account: TypedAccount,
): { type: ObjectTargetType; pluginId: string } {
  const { type, pluginId } = anyTargetTypeOf(services, account);
  if (isObjectTarget(type)) return { type, pluginId };
  throw new AppError(
    'invalid_input',
    worded`account ${{ name: account.name }} is of type ${{ type: account.type }}, which writes everything at once and has no plans; run "muster export ${{ name: account.name }} --dry-run" to see what would happen`,
  );
}

/** Whether plans can be made for the account. */
export function hasPlans(services: Pick<AccountServices, 'plugins'>, type: string): boolean {
  const registered = services.plugins.target(type);
  return registered !== undefined && isObjectTarget(registered.item);
}

/** The target type of an account. Throws for accounts of another kind, and names that kind. */
export function anyTargetTypeOf(
  services: AccountServices,
  account: TypedAccount,
): { type: TargetType | ObjectTargetType; pluginId: string } {
  const registered = services.plugins.target(account.type);
  if (registered !== undefined) return { type: registered.item, pluginId: registered.pluginId };
  throw otherKind(services, account, {
    api: worded`it is written through the API and nothing can be exported to it`,
    channel: worded`notifications are sent through it; run "muster notification test ${{ name: account.name }}"`,
    sign_in: worded`people log in with it; run "muster sign-in test ${{ name: account.name }}"`,
    source: worded`hosts are imported from it; run "muster import ${{ name: account.name }}"`,
  });
}

function otherKind(
  services: AccountServices,
  { name, type }: TypedAccount,
  words: Partial<Record<AccountKind, Wording>>,
): AppError {
  const what = words[accountKind(services, type)];
  if (what !== undefined)
    return new AppError('invalid_input', worded`account ${{ name }} is of type ${{ type }}: ${{ what }}`);
  const known = accountTypes(services).join(', ');
  return new AppError(
    'invalid_input',
    worded`account ${{ name }} is of type ${{ type }}, which no plugin provides; known types: ${{ known }}`,
  );
}

/** Types an account can have, sorted. */
function accountTypes({ plugins }: AccountServices): readonly string[] {
  return [
    ...new Set([
      ...plugins.sourceIds(),
      ...plugins.targetIds(),
      ...plugins.notificationChannelIds(),
      ...plugins.signInMethodIds(),
      'api',
    ]),
  ].sort();
}

/** Other names that the options of a type have, the common ones included. */
export function optionAliases({ plugins }: AccountServices, type: string): ReadonlyMap<string, string> {
  const source = plugins.source(type)?.item;
  const target = plugins.target(type)?.item;
  return new Map([
    ...(source === undefined ? [] : [...aliasesOf(source.options), ...aliasesOf(importOptions())]),
    ...(target === undefined ? [] : [...aliasesOf(target.options), ...aliasesOf(commonTargetOptions(target))]),
  ]);
}

/** The options that every account with such a target has. */
export function commonTargetOptions(type: TargetType | ObjectTargetType): z.ZodObject {
  return isObjectTarget(type) ? objectExportOptions() : exportOptions();
}

/** The fields of an account for one of its two uses: common options of the other use are left out. */
export function fieldsFor(
  way: 'import' | 'export',
  { plugins }: AccountServices,
  type: string,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const source = plugins.source(type)?.item;
  const target = plugins.target(type)?.item;
  if (source === undefined || target === undefined) return fields;
  const [own, other] = way === 'import' ? [source, commonTargetOptions(target)] : [target, importOptions()];
  const common = way === 'import' ? importOptions() : commonTargetOptions(target);
  const known = new Set([...namesOf(own.options), ...namesOf(common)]);
  const passed = new Set(namesOf(other).filter((name) => !known.has(name)));
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !passed.has(name)));
}

function namesOf(options: z.ZodType): readonly string[] {
  const shape = 'shape' in options ? Object.keys(options.shape as object) : [];
  return [...shape, ...aliasesOf(options).keys()];
}

/** All options of an account for notifications are those of its type. */
export const NO_COMMON_OPTIONS = z.strictObject({});

/** Checks options of an account that is saved, and also what their schema does not tell. */
export async function checkSavedOptions(
  services: AccountServices,
  type: string,
  options: Readonly<Record<string, string>>,
): Promise<void> {
  checkAccountOptions(services, type, options);
  const source = services.plugins.source(type)?.item;
  if (source?.refuse !== undefined)
    await source.refuse(parseAccountOptions(source, fieldsFor('import', services, type, options)).source);
  const target = services.plugins.target(type)?.item;
  if (target === undefined || !('refuse' in target) || target.refuse === undefined) return;
  const fields = fieldsFor('export', services, type, options);
  await target.refuse(parseTypeOptions(commonTargetOptions(target), target, fields).own);
}

/** Throws `AppError('invalid_input')` for an account without the address that its type needs. */
export function requireAddress({ plugins }: AccountServices, type: string, document: RuleDocument): void {
  const example = plugins.notificationChannel(type)?.item.neededAddress;
  if (example === undefined || memberText(document, 'address') !== '') return;
  throw new AppError('invalid_input', worded`an account of type ${{ type }} needs an address, such as ${{ example }}`, {
    details: [detailOf('address', phrase`is required`)],
  });
}

/** Checks options without opening anything. API accounts take any. */
export function checkAccountOptions(
  services: AccountServices,
  type: string,
  options: Readonly<Record<string, string>>,
): void {
  const source = services.plugins.source(type);
  const target = services.plugins.target(type);
  const channel = services.plugins.notificationChannel(type);
  const signIn = services.plugins.signInMethod(type);
  try {
    if (source !== undefined) {
      const fields = fieldsFor('import', services, type, options);
      const { common } = parseAccountOptions(source.item, fields);
      compileHostnameTemplate(common.rewrite_hostname);
      checkedProcessors(services.plugins, common.processors);
    }
    if (target !== undefined) {
      const fields = fieldsFor('export', services, type, options);
      parseTypeOptions(commonTargetOptions(target.item), target.item, fields);
    }
    if (signIn !== undefined) parseTypeOptions(signInOptions(), signIn.item, options);
    if (channel !== undefined) parseTypeOptions(NO_COMMON_OPTIONS, channel.item, options);
  } catch (error) {
    // A type may quote the value that it refuses, also to a user who changes another option than the secret one.
    const marked = [source, target, channel, signIn].flatMap((known) => [...secretOptionsOf(known?.item.options)]);
    throw maskedError(error, settingsMask(options, new Set(marked)));
  }
  if ([source, target, channel, signIn].some((known) => known !== undefined)) return;
  if (!API_ACCOUNT_TYPES.has(type)) {
    throw new AppError(
      'invalid_input',
      worded`there is no account type ${{ type }}; known ones: ${{ known: accountTypes(services).join(', ') }}`,
    );
  }
}
