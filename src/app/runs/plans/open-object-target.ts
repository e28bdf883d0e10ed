import type { ObjectTarget, ObjectTargetType, TargetKind } from '../../../ports/index.ts';
import type { Account } from '../../accounts/account-directory.ts';
import { objectTargetTypeOf } from '../../accounts/account-types.ts';
import { type ObjectExportOptions, objectExportOptions } from '../../accounts/decisions/object-export-options.ts';
import { parseTypeOptions } from '../../accounts/decisions/type-options.ts';
import { requireKinds } from '../../kernel/plugin-host/target-kinds.ts';
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
    async open(...given) {
      const target = await type.open(...given);
      const kinds = new Map(kindsOf(type, target).map((kind) => [kind.id, kind]));
      return { target, kinds, takes: type.takes ?? 'hosts' };
    },
  };
}

function kindsOf({ id, kinds }: ObjectTargetType, target: ObjectTarget): readonly TargetKind[] {
  if (kinds !== 'by_account') return kinds;
  const own = target.kinds ?? [];
  requireKinds(id, own);
  return own;
}
