import { AppError, type RuleDocument, type RuleType } from '../../../ports/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import { memberText } from '../document/members.ts';
import type { RuleServices } from '../services.ts';

/** Whether the caller may write documents of the type at all. */
function isWithinReach(type: RuleType, caller: Pick<Caller, 'scope'>): boolean {
  return caller.scope === null || type.accountsOf !== undefined;
}

/**
 * Documents of most types act on hosts of every account: rules, templates, projects, jobs of cron groups. Who is restricted
 * to accounts writes none of them, new or known, and tries none out, because a trial shows what having it would show.
 */
export function refuseBeyondReach(type: RuleType, caller: Pick<Caller, 'scope'>): void {
  if (isWithinReach(type, caller)) return;
  throw new AppError(
    'forbidden',
    `${type.title} (${type.id}) act on hosts of all accounts, and you are restricted to some; ask an unrestricted user to write them`,
    { details: [{ path: type.id, message: 'cannot be written by users restricted to accounts' }] },
  );
}

/**
 * A document, and the one that it would replace, must belong to accounts of the caller and to no other. The refusal says the
 * same whatever stands there, so that nobody learns of documents by it.
 */
export async function refuseForeignDocument(
  services: RuleServices,
  caller: Caller,
  type: RuleType,
  {
    given,
    existing,
    path,
  }: { readonly given: RuleDocument; readonly existing: RuleDocument | undefined; readonly path: string },
): Promise<void> {
  if (caller.scope === null) return;
  for (const document of existing === undefined ? [given] : [given, existing]) {
    if (await belongsTo(services, caller, type.accountsOf?.(document) ?? [])) continue;
    const name = memberText(given, type.keyedBy);
    throw new AppError('forbidden', `${type.id} ${name}: does not belong to accounts of yours; nothing was imported`, {
      details: [{ path, message: 'must belong to accounts of yours, and to no others' }],
    });
  }
}

async function belongsTo({ accounts }: RuleServices, caller: Caller, references: readonly string[]): Promise<boolean> {
  if (references.length === 0) return false;
  for (const reference of references) {
    if (caller.scopeNames?.includes(reference) === true) continue;
    const [id] = await accounts.scopeOf([reference]);
    if (id === undefined || caller.scope?.includes(id) !== true) return false;
  }
  return true;
}
