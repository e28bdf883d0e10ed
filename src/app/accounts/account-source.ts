import { AppError, type Source, type SourceType } from '../../ports/index.ts';
import { type AccountOptions, parseAccountOptions } from '../domain/import/account-options.ts';
import { compileHostnameTemplate } from '../domain/import/hostname-template.ts';
import type { HostnameTemplate } from '../domain/import/prepare-record.ts';
import type { Services } from '../services.ts';
import { type Account, API_ACCOUNT_TYPES } from './account-directory.ts';

/** An account with its source opened for one run. */
export interface OpenedAccount extends AccountOptions<unknown> {
  readonly source: Source;
  readonly template: HostnameTemplate | undefined;
}

/** The source type of an account; accounts that only the API writes through have none. */
export function sourceTypeOf(
  services: Services,
  account: Pick<Account, 'name' | 'type'>,
): { type: SourceType; pluginId: string } {
  const registered = services.plugins.source(account.type);
  if (registered !== undefined) return { type: registered.item, pluginId: registered.pluginId };
  if (API_ACCOUNT_TYPES.has(account.type)) {
    throw new AppError(
      'invalid_input',
      `account ${account.name} is of type ${account.type}: it is written through the API and has nothing to import`,
    );
  }
  throw new AppError(
    'invalid_input',
    `account ${account.name} is of type ${account.type}, which no plugin provides; known types: ${accountTypes(services).join(', ')}`,
  );
}

/** Types an account can have, sorted. */
function accountTypes(services: Services): readonly string[] {
  return [...new Set([...services.plugins.sourceIds(), 'api'])].sort();
}

/** Parses the account's options and opens its source. */
export async function openAccount(services: Services, account: Account): Promise<OpenedAccount> {
  const { type } = sourceTypeOf(services, account);
  const options = parseAccountOptions(type, await services.accounts.options(account));
  const source = type.open(
    options.source,
    {
      name: account.name,
      address: account.address,
      username: account.username,
      password: await services.accounts.password(account),
    },
    { logger: services.logger.child({ account: account.name }) },
  );
  const now = (): Date => services.clock.now();
  return { ...options, source, template: compileHostnameTemplate(options.common.rewrite_hostname, { now }) };
}

/** Checks options without opening anything. API accounts take any. */
export function checkAccountOptions(services: Services, type: string, options: Readonly<Record<string, string>>): void {
  const registered = services.plugins.source(type);
  if (registered !== undefined) {
    compileHostnameTemplate(parseAccountOptions(registered.item, options).common.rewrite_hostname);
  } else if (!API_ACCOUNT_TYPES.has(type)) {
    throw new AppError(
      'invalid_input',
      `there is no account type ${type}; known ones: ${accountTypes(services).join(', ')}`,
    );
  }
}
