import { type ExportOptions, exportOptions } from '../../kit/account-options/export-options.ts';
import { maskedError } from '../../kit/masking/masked.ts';
import type { Target } from '../../ports/index.ts';
import type { Account } from '../accounts/account-directory.ts';
import { targetTypeOf } from '../accounts/account-types.ts';
import { parseTypeOptions } from '../accounts/decisions/type-options.ts';
import { type GuardedCall, pluginError } from '../kernel/plugin-host/guard.ts';
import type { RunServices } from '../runs/services.ts';
import {
  type OpenedAccount,
  openAccountTarget,
  type PreparedAccount,
  prepareAccountTarget,
  type TargetForm,
} from './open-account-target.ts';

/** An account whose target takes all hosts at once. */
export interface OpenedTarget extends OpenedAccount<ExportOptions> {
  readonly target: Target;
}

/** Throws `AppError`. */
export async function openTarget(services: RunServices, account: Account): Promise<OpenedTarget> {
  const form = formOf(services, account);
  const { opened, account: common } = await openAccountTarget(services, account, form);
  const call = { pluginId: form.pluginId, what: `asking the target of account ${account.name}` };
  return { ...common, target: maskedTarget(opened, { call, mask: common.mask }) };
}

/** Throws `AppError`. */
export function prepareTarget(
  services: RunServices,
  account: Account,
): Promise<PreparedAccount<ExportOptions, Target>> {
  return prepareAccountTarget(services, account, formOf(services, account));
}

function formOf(services: RunServices, account: Account): TargetForm<ExportOptions, unknown, Target> {
  const { type, pluginId } = targetTypeOf(services, account);
  return {
    pluginId,
    typeId: type.id,
    parse: (fields) => parseTypeOptions(exportOptions(), type, fields),
    open: (...given) => type.open(...given),
  };
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
