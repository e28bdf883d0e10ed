import type { Source } from '../../ports/index.ts';
import { type AccountOptions, parseAccountOptions } from '../domain/import/account-options.ts';
import { compileHostnameTemplate } from '../domain/import/hostname-template.ts';
import type { HostnameTemplate } from '../domain/import/prepare-record.ts';
import { guardedStream } from '../plugin-host/guarded-stream.ts';
import type { Services } from '../services.ts';
import { requireConfirmedAccount } from '../trust/waiting.ts';
import type { Account } from './account-directory.ts';
import { sourceTypeOf } from './account-types.ts';
import { fileReach } from './file-reach.ts';

/** An account with its source opened for one run. */
export interface OpenedAccount extends AccountOptions<unknown> {
  readonly source: Source;
  readonly template: HostnameTemplate | undefined;
}

/** Parses the account's options and opens its source. */
export async function openAccount(services: Services, account: Account): Promise<OpenedAccount> {
  const { type, pluginId } = sourceTypeOf(services, account);
  requireConfirmedAccount(services.plugins, account);
  const options = parseAccountOptions(type, await services.accounts.options(account));
  const opened = type.open(
    options.source,
    {
      name: account.name,
      address: account.address,
      username: account.username,
      password: await services.accounts.password(account),
    },
    {
      logger: services.logger.child({ account: account.name }),
      files: services.files.sources(fileReach(account)),
    },
  );
  const call = {
    pluginId,
    what: `reading account ${account.name}`,
    timeoutSeconds: services.config.PLUGIN_TIMEOUT_SECONDS,
  };
  const source: Source = {
    read: (context) => guardedStream({ ...call, signal: context.signal }, opened.read(context)),
  };
  const now = (): Date => services.clock.now();
  return { ...options, source, template: compileHostnameTemplate(options.common.rewrite_hostname, { now }) };
}
