import type { ObjectTarget, TargetKind } from '../../../ports/index.ts';
import type { Account } from '../../accounts/account-directory.ts';
import { objectTargetTypeOf } from '../../accounts/account-types.ts';
import { type ObjectExportOptions, objectExportOptions } from '../../accounts/decisions/object-export-options.ts';
import { parseTypeOptions } from '../../accounts/decisions/type-options.ts';
import {
  type OpenedAccount,
  openAccountTarget,
  type PreparedAccount,
  prepareAccountTarget,
  type TargetForm,
} from '../export/open-account-target.ts';
import type { RunServices } from '../services.ts';

/** An account whose target has objects. */
export interface OpenedObjectTarget extends OpenedAccount<ObjectExportOptions> {
  readonly target: ObjectTarget;
  /** By id, in the order in which they are made. */
  readonly kinds: ReadonlyMap<string, TargetKind>;
  readonly takes: 'hosts' | 'objects' | 'all';
}

/** What of it depends on its type. */
type OpenedType = Pick<OpenedObjectTarget, 'target' | 'kinds' | 'takes'>;

/** Throws `AppError`. */
export async function openObjectTarget(services: RunServices, account: Account): Promise<OpenedObjectTarget> {
  const { opened, account: common } = await openAccountTarget(services, account, formOf(services, account));
  return { ...common, ...opened };
}

/** Throws `AppError`. */
export async function prepareObjectTarget(
  services: RunServices,
  account: Account,
): Promise<PreparedAccount<ObjectExportOptions, OpenedType> & { readonly pluginId: string }> {
  const form = formOf(services, account);
  return { ...(await prepareAccountTarget(services, account, form)), pluginId: form.pluginId };
}

function formOf(services: RunServices, account: Account): TargetForm<ObjectExportOptions, unknown, OpenedType> {
  const { type, pluginId } = objectTargetTypeOf(services, account);
  return {
    pluginId,
    typeId: type.id,
    parse: (fields) => parseTypeOptions(objectExportOptions, type, fields),
    open: (...given) => ({
      target: type.open(...given),
      kinds: new Map(type.kinds.map((kind) => [kind.id, kind])),
      takes: type.takes ?? 'hosts',
    }),
  };
}
