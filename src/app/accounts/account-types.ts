import type * as z from 'zod';
import {
  AppError,
  isObjectTarget,
  type ObjectTargetType,
  type SourceType,
  type TargetType,
} from '../../ports/index.ts';
import { maskedError } from '../kernel/masking/masked-error.ts';
import { settingsMask } from '../kernel/masking/settings-mask.ts';
import { aliasesOf } from '../kernel/options/aliases.ts';
import type { Account } from './account-directory.ts';
import { parseAccountOptions } from './decisions/account-options.ts';
import { API_ACCOUNT_TYPES } from './decisions/api-accounts.ts';
import { exportOptions } from './decisions/export-options.ts';
import { compileHostnameTemplate } from './decisions/hostname-template.ts';
import { importOptions } from './decisions/import-options.ts';
import { objectExportOptions } from './decisions/object-export-options.ts';
import { parseTypeOptions } from './decisions/type-options.ts';
import type { AccountServices } from './services.ts';

type TypedAccount = Pick<Account, 'name' | 'type'>;

/** What can be done with an account; `unknown`: no plugin provides its type. */
export type AccountKind = 'source' | 'target' | 'api' | 'unknown';

export function accountKind(services: AccountServices, type: string): AccountKind {
  if (services.plugins.source(type) !== undefined) return 'source';
  if (services.plugins.target(type) !== undefined) return 'target';
  return API_ACCOUNT_TYPES.has(type) ? 'api' : 'unknown';
}

/** The source type of an account. Throws for accounts that are no source, and says what they are. */
export function sourceTypeOf(services: AccountServices, account: TypedAccount): { type: SourceType; pluginId: string } {
  const registered = services.plugins.source(account.type);
  if (registered !== undefined) return { type: registered.item, pluginId: registered.pluginId };
  throw otherKind(services, account, {
    api: 'it is written through the API and has nothing to import',
    target: `hosts are exported to it; run "muster export ${account.name}"`,
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
    `account ${account.name} is of type ${account.type}, which writes everything at once and has no plans; ` +
      `run "muster export ${account.name} --dry-run" to see what would happen`,
  );
}

/** Whether plans can be made for the account. */
export function hasPlans(services: AccountServices, type: string): boolean {
  const registered = services.plugins.target(type);
  return registered !== undefined && isObjectTarget(registered.item);
}

/** The target type of an account. Throws for accounts that are no target, and says what they are. */
export function anyTargetTypeOf(
  services: AccountServices,
  account: TypedAccount,
): { type: TargetType | ObjectTargetType; pluginId: string } {
  const registered = services.plugins.target(account.type);
  if (registered !== undefined) return { type: registered.item, pluginId: registered.pluginId };
  throw otherKind(services, account, {
    api: 'it is written through the API and nothing can be exported to it',
    source: `hosts are imported from it; run "muster import ${account.name}"`,
  });
}

function otherKind(
  services: AccountServices,
  { name, type }: TypedAccount,
  words: Partial<Record<AccountKind, string>>,
): AppError {
  const what = words[accountKind(services, type)];
  if (what !== undefined) return new AppError('invalid_input', `account ${name} is of type ${type}: ${what}`);
  const known = accountTypes(services).join(', ');
  return new AppError(
    'invalid_input',
    `account ${name} is of type ${type}, which no plugin provides; known types: ${known}`,
  );
}

/** Types an account can have, sorted. */
function accountTypes({ plugins }: AccountServices): readonly string[] {
  return [...new Set([...plugins.sourceIds(), ...plugins.targetIds(), 'api'])].sort();
}

/** Other names that the options of a type have, the common ones included. */
export function optionAliases({ plugins }: AccountServices, type: string): ReadonlyMap<string, string> {
  const own = (plugins.source(type) ?? plugins.target(type))?.item.options;
  const target = plugins.target(type)?.item;
  const common = target === undefined ? importOptions : commonTargetOptions(target);
  return own === undefined ? new Map() : new Map([...aliasesOf(own), ...aliasesOf(common)]);
}

/** The options that every account with such a target has. */
export function commonTargetOptions(type: TargetType | ObjectTargetType): z.ZodObject {
  return isObjectTarget(type) ? objectExportOptions : exportOptions;
}

/** Checks options without opening anything. API accounts take any. */
export function checkAccountOptions(
  services: AccountServices,
  type: string,
  options: Readonly<Record<string, string>>,
): void {
  const source = services.plugins.source(type);
  const target = services.plugins.target(type);
  try {
    if (source !== undefined) {
      compileHostnameTemplate(parseAccountOptions(source.item, options).common.rewrite_hostname);
    } else if (target !== undefined) {
      parseTypeOptions(commonTargetOptions(target.item), target.item, options);
    }
  } catch (error) {
    // A type may quote what it refuses, also to somebody who changes another option than the secret one.
    throw maskedError(error, settingsMask(options));
  }
  if (source !== undefined || target !== undefined) return;
  if (!API_ACCOUNT_TYPES.has(type)) {
    throw new AppError(
      'invalid_input',
      `there is no account type ${type}; known ones: ${accountTypes(services).join(', ')}`,
    );
  }
}
