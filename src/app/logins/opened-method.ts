import { maskedError, maskedLogger } from '../../kit/masking/masked.ts';
import { worded } from '../../kit/worded.ts';
import { AppError, type SignInMethod, type SignInMethodType } from '../../ports/index.ts';
import { type Account, requireEnabled } from '../accounts/account-directory.ts';
import { accountMask } from '../accounts/account-mask.ts';
import { type SignInOptions, signInOptions } from '../accounts/decisions/sign-in-options.ts';
import { parseTypeOptions } from '../accounts/decisions/type-options.ts';
import { fileReach } from '../accounts/file-reach.ts';
import { guarded } from '../kernel/plugin-host/guard.ts';
import { requireConfirmedAccount } from '../rules/trust/pending.ts';
import type { LoginServices } from './services.ts';

/** A person waits for the answer. */
const MOST_SECONDS = 20;

/** An account by which people log in, opened. */
export interface OpenedMethod {
  readonly account: Account;
  readonly type: SignInMethodType;
  readonly options: SignInOptions;
  readonly method: SignInMethod;
  /** Asks the other system, within a time. Errors hold no secret of the account. */
  call<T>(what: string, ask: (signal: AbortSignal) => T | Promise<T>): Promise<T>;
}

/** Opens it without connecting. Throws for an account that is off, that waits for an administrator, or that lacks something. */
export async function openMethod(services: LoginServices, account: Account): Promise<OpenedMethod> {
  const registered = services.plugins.signInMethod(account.type);
  if (registered === undefined) throw noMethod(services, account);
  const { item: type, pluginId } = registered;
  requireEnabled(account);
  requireConfirmedAccount(services.plugins, account);
  const mask = await accountMask(services, account, pluginId);
  const timeoutSeconds = Math.min(services.config.PLUGIN_TIMEOUT_SECONDS, MOST_SECONDS);
  try {
    const { common, own } = parseTypeOptions(signInOptions(), type, await services.accounts.options(account));
    const { name, address, username } = account;
    const password = await services.accounts.password(account);
    const method = type.open(
      own,
      { name, address, username, password },
      {
        logger: maskedLogger(services.logger.child({ account: name, plugin: pluginId }), mask),
        http: services.http,
        files: services.files.sources(fileReach(account)),
      },
    );
    return {
      account,
      type,
      options: common,
      method,
      async call(what, ask) {
        try {
          return await guarded({ pluginId, what: `${what} by ${name}`, timeoutSeconds }, ask);
        } catch (error) {
          throw maskedError(error, mask);
        }
      },
    };
  } catch (error) {
    throw maskedError(error, mask);
  }
}

function noMethod(services: LoginServices, { name, type }: Account): AppError {
  const known = services.plugins.signInMethodIds().join(', ');
  return new AppError(
    'invalid_input',
    worded`account ${{ name }} is of type ${{ type }}, which is not for logins; types for logins: ${{ known }}`,
  );
}
