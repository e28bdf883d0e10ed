import type { ExportOptions } from '../../kit/account-options/export-options.ts';
import { maskedError, maskedLogger } from '../../kit/masking/masked.ts';
import { saidBy, worded } from '../../kit/worded.ts';
import {
  AppError,
  type InventoryGroup,
  type InventoryRequest,
  type Logger,
  type TargetAccount,
  type TargetServices,
} from '../../ports/index.ts';
import type { Account } from '../accounts/account-directory.ts';
import { accountMask } from '../accounts/account-mask.ts';
import { fieldsFor } from '../accounts/account-types.ts';
import type { TypeOptions } from '../accounts/decisions/type-options.ts';
import { fileReach } from '../accounts/file-reach.ts';
import { requireConfirmedAccount } from '../rules/trust/pending.ts';
import type { RunServices } from '../runs/services.ts';
import { type ExportEvaluator, evaluatorInGroups, groupRulesOf, groupsOf, knownProject } from './in-groups.ts';
import { publishedFiles } from './published-files.ts';
import { textTemplates } from './text-templates.ts';

/** The parts that differ between the two forms of targets. */
export interface TargetForm<Options extends ExportOptions, Own, Opened> {
  readonly pluginId: string;
  /** The type of targets, whose own rules run too. */
  readonly typeId: string;
  parse(fields: Readonly<Record<string, unknown>>): TypeOptions<Options, Own>;
  open(options: Own, account: TargetAccount, services: TargetServices): Opened | Promise<Opened>;
}

/** An account with a target, opened for one run, and the rules that make its hosts. */
export interface OpenedAccount<Options> {
  readonly pluginId: string;
  readonly options: Options;
  readonly evaluator: ExportEvaluator;
  /** Returns the groups as defined by rules. Throws what reading them throws. */
  groups(request: InventoryRequest): Promise<readonly InventoryGroup[]>;
  /** Hides the account's secrets, and those that rules show, in what the target says. */
  mask(text: string): string;
}

/** An account whose options are read, and whose target is not opened yet. */
export interface PreparedAccount<Options, Opened> {
  readonly options: Options;
  /** Hides the account's secrets. */
  mask(text: string): string;
  /** Opens the target; `mask` must hide everything that must not be revealed. Throws `AppError`. */
  open(mask: (text: string) => string): Promise<Opened>;
}

/** Parses the account's options, compiles its rules and opens its target. Throws `AppError`. */
export async function openAccountTarget<Options extends ExportOptions, Own, Opened>(
  services: RunServices,
  account: Account,
  form: TargetForm<Options, Own, Opened>,
): Promise<{ readonly opened: Opened; readonly account: OpenedAccount<Options> }> {
  const { pluginId, typeId } = form;
  const { options, mask: secrets, open } = await prepareAccountTarget(services, account, form);
  const project = await knownProject(services, options.project);
  const rules = await services.evaluators.forProject(project, typeId);
  const evaluator = evaluatorInGroups(rules, await groupRulesOf(services, project));
  const mask = (text: string): string => rules.masked(secrets(text));
  const groups = (request: InventoryRequest) => groupsOf(services, project, request);
  return { opened: await open(mask), account: { pluginId, options, evaluator, groups, mask } };
}

/** Parses the account's options. Throws `AppError`. */
export async function prepareAccountTarget<Options extends ExportOptions, Own, Opened>(
  services: RunServices,
  account: Account,
  { pluginId, parse, open }: TargetForm<Options, Own, Opened>,
): Promise<PreparedAccount<Options, Opened>> {
  requireConfirmedAccount(services.plugins, account);
  const fields = await services.accounts.options(account);
  const secrets = await accountMask(services, account, pluginId);
  const { common: options, own } = withMask(secrets, () => parse(fieldsFor('export', services, account.type, fields)));
  const password = await services.accounts.password(account);
  const { name, address, username } = account;
  return {
    options,
    mask: secrets,
    async open(mask) {
      const logger = maskedLogger(services.logger.child({ account: name, plugin: pluginId }), mask);
      try {
        return await open(own, { name, address, username, password }, targetServices(services, account, logger));
      } catch (cause) {
        const masked = maskedError(cause, mask);
        const reason = masked instanceof AppError ? saidBy(masked) : masked.message;
        const plugin = mask(pluginId);
        throw new AppError(
          'failed',
          worded`plugin ${{ plugin }}: account ${{ account: mask(name) }} cannot be opened: ${{ reason }}`,
          { cause: masked },
        );
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

/** Returns the services that the target of an account uses. */
function targetServices(services: RunServices, account: Account, logger: Logger): TargetServices {
  const reach = fileReach(account);
  return {
    logger,
    files: services.files.targets(reach),
    sourceFiles: services.files.sources(reach),
    http: services.http,
    published: publishedFiles(services.storage.published, account.id, services.clock),
    templates: textTemplates,
  };
}
