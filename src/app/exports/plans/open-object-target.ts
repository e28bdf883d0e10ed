import { type ObjectExportOptions, objectExportOptions } from '../../../kit/account-options/object-export-options.ts';
import { detailOf, worded } from '../../../kit/worded.ts';
import {
  AppError,
  type ObjectTarget,
  type ObjectTargetType,
  type TargetKind,
  type TargetPart,
} from '../../../ports/index.ts';
import type { Account } from '../../accounts/account-directory.ts';
import { objectTargetTypeOf } from '../../accounts/account-types.ts';
import { parseTypeOptions } from '../../accounts/decisions/type-options.ts';
import { requireKinds } from '../../kernel/plugin-host/target-kinds.ts';
import type { RunServices } from '../../runs/services.ts';
import {
  type OpenedAccount,
  openAccountTarget,
  type PreparedAccount,
  prepareAccountTarget,
  type TargetForm,
} from '../open-account-target.ts';

/** An account whose target has objects. */
export interface OpenedObjectTarget extends OpenedAccount<ObjectExportOptions> {
  readonly target: ObjectTarget;
  /** By id, in the order in which they are made. */
  readonly kinds: ReadonlyMap<string, TargetKind>;
  readonly takes: 'hosts' | 'objects' | 'all';
  /** The one part that is exported; absent: all of them. */
  readonly part: TargetPart | undefined;
  /** Whether objects of a kind are made, changed and deleted; of the others it is only known what there is and what is wanted. */
  covers(kind: string): boolean;
}

/** The members that depend on the target's type. */
type OpenedType = Pick<OpenedObjectTarget, 'target' | 'kinds' | 'takes'>;

/** Throws `AppError`, also for a part that the target does not have. */
export async function openObjectTarget(
  services: RunServices,
  account: Account,
  partId?: string,
): Promise<OpenedObjectTarget> {
  const part = partId === undefined ? undefined : requirePart(services, account, partId);
  const { opened, account: common } = await openAccountTarget(services, account, formOf(services, account));
  const covered = part === undefined ? undefined : new Set(part.kinds);
  return { ...common, ...opened, part, covers: (kind) => covered?.has(kind) ?? true };
}

/** Throws `AppError('invalid_input')` that says which parts there are. */
export function requirePart(services: RunServices, account: Account, id: string): TargetPart {
  const { parts = [] } = objectTargetTypeOf(services, account).type;
  const part = parts.find((known) => known.id === id);
  if (part !== undefined) return part;
  const known = parts.map((each) => `${each.id} (${each.title})`).join(', ');
  const what =
    parts.length === 0
      ? worded`a ${{ type: account.type }} target is exported to as a whole`
      : worded`its parts are ${{ known }}`;
  throw new AppError('invalid_input', worded`account ${{ name: account.name }} has no part ${{ id }}; ${{ what }}`, {
    details: [detailOf('part', what)],
  });
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
    parse: (fields) => parseTypeOptions(objectExportOptions(), type, fields),
    async open(...given) {
      const target = await type.open(...given);
      const kinds = new Map(kindsOf(type, target).map((kind) => [kind.id, kind]));
      return { target, kinds, takes: type.takes ?? 'hosts' };
    },
  };
}

function kindsOf({ id, kinds }: ObjectTargetType, target: ObjectTarget): readonly TargetKind[] {
  const own = target.kinds ?? (kinds === 'by_account' ? [] : kinds);
  requireKinds(id, own);
  return own;
}
