import { AppError, type HostEvaluator, type Target } from '../../../ports/index.ts';
import type { Account } from '../../accounts/account-directory.ts';
import { accountMask } from '../../accounts/account-mask.ts';
import { targetTypeOf } from '../../accounts/account-types.ts';
import { type ExportOptions, exportOptions } from '../../accounts/decisions/export-options.ts';
import { parseTypeOptions } from '../../accounts/decisions/type-options.ts';
import { maskedError } from '../../kernel/masking/masked-error.ts';
import { maskedLogger } from '../../kernel/masking/masked-logger.ts';
import { type GuardedCall, pluginError } from '../../kernel/plugin-host/guard.ts';
import { requireConfirmedAccount } from '../../rules/trust/waiting.ts';
import type { RunServices } from '../services.ts';
import { knownProject } from './known-project.ts';
import { targetServices } from './target-services.ts';

/** An account with its target opened for one run, and the rules that make its hosts. */
export interface OpenedTarget {
  readonly pluginId: string;
  readonly target: Target;
  readonly options: ExportOptions;
  readonly evaluator: HostEvaluator;
  /** Hides the account's secrets, and those that rules show, in what the target says. */
  mask(text: string): string;
}

/** Parses the account's options, compiles its rules and opens its target. Throws `AppError`. */
export async function openTarget(services: RunServices, account: Account): Promise<OpenedTarget> {
  const { type, pluginId } = targetTypeOf(services, account);
  requireConfirmedAccount(services.plugins, account);
  const fields = await services.accounts.options(account);
  const secrets = await accountMask(services, account, pluginId);
  const { common, own } = withMask(secrets, () => parseTypeOptions(exportOptions, type, fields));
  const password = await services.accounts.password(account);
  const program = await services.evaluators.forProject(await knownProject(services, common.project));
  const mask = (text: string): string => program.masked(secrets(text));
  const { name, address, username } = account;
  const logger = maskedLogger(services.logger.child({ account: name, plugin: pluginId }), mask);
  try {
    const target = type.open(own, { name, address, username, password }, targetServices(services, account, logger));
    const call = { pluginId, what: `asking the target of account ${name}` };
    return { pluginId, target: maskedTarget(target, { call, mask }), options: common, evaluator: program, mask };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('failed', mask(`plugin ${pluginId}: account ${name} cannot be opened: ${reason}`), {
      cause: maskedError(cause, mask),
    });
  }
}

/** The target with masked errors. */
function maskedTarget(
  target: Target,
  { call, mask }: { readonly call: Pick<GuardedCall, 'pluginId' | 'what'>; readonly mask: (text: string) => string },
): Target {
  return {
    async write(hosts, run) {
      try {
        return await target.write(hosts, run);
      } catch (error) {
        throw maskedError(error, mask);
      }
    },
    async check(context) {
      try {
        return (await target.check?.(context)) ?? '';
      } catch (error) {
        throw maskedError(pluginError(call, error), mask);
      }
    },
  };
}

function withMask<T>(mask: (text: string) => string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw maskedError(error, mask);
  }
}
