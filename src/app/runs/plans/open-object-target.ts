import { AppError, type HostEvaluator, type ObjectTarget, type TargetKind } from '../../../ports/index.ts';
import type { Account } from '../../accounts/account-directory.ts';
import { accountMask } from '../../accounts/account-mask.ts';
import { objectTargetTypeOf } from '../../accounts/account-types.ts';
import { type ObjectExportOptions, objectExportOptions } from '../../accounts/decisions/object-export-options.ts';
import { parseTypeOptions } from '../../accounts/decisions/type-options.ts';
import { maskedError } from '../../kernel/masking/masked-error.ts';
import { maskedLogger } from '../../kernel/masking/masked-logger.ts';
import { requireConfirmedAccount } from '../../rules/trust/waiting.ts';
import { knownProject } from '../export/known-project.ts';
import { targetServices } from '../export/target-services.ts';
import type { RunServices } from '../services.ts';

/** An account whose target has objects, opened for one run, and the rules that make its hosts. */
export interface OpenedObjectTarget {
  readonly pluginId: string;
  readonly target: ObjectTarget;
  /** By id, in the order in which they are made. */
  readonly kinds: ReadonlyMap<string, TargetKind>;
  readonly takes: 'hosts' | 'objects' | 'all';
  readonly options: ObjectExportOptions;
  readonly evaluator: HostEvaluator;
  /** Hides the account's secrets, and those that rules show, in what the target says. */
  mask(text: string): string;
}

/** Parses the account's options, compiles its rules and opens its target. Throws `AppError`. */
export async function openObjectTarget(services: RunServices, account: Account): Promise<OpenedObjectTarget> {
  const { type, pluginId } = objectTargetTypeOf(services, account);
  requireConfirmedAccount(services.plugins, account);
  const fields = await services.accounts.options(account);
  const secrets = await accountMask(services, account, pluginId);
  const { common, own } = maskedErrors(secrets, () => parseTypeOptions(objectExportOptions, type, fields));
  const password = await services.accounts.password(account);
  const program = await services.evaluators.forProject(await knownProject(services, common.project));
  const mask = (text: string): string => program.masked(secrets(text));
  const { name, address, username } = account;
  const logger = maskedLogger(services.logger.child({ account: name, plugin: pluginId }), mask);
  try {
    const target = type.open(own, { name, address, username, password }, targetServices(services, account, logger));
    const kinds = new Map(type.kinds.map((kind) => [kind.id, kind]));
    return { pluginId, target, kinds, takes: type.takes ?? 'hosts', options: common, evaluator: program, mask };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('failed', mask(`plugin ${pluginId}: account ${name} cannot be opened: ${reason}`), {
      cause: maskedError(cause, mask),
    });
  }
}

function maskedErrors<T>(mask: (text: string) => string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw maskedError(error, mask);
  }
}
