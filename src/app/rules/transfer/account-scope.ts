import { memberText } from '../../../kit/document/members.ts';
import { detailOf, worded } from '../../../kit/worded.ts';
import { AppError, type RuleDocument, type RuleType, type Wording } from '../../../ports/index.ts';
import { type Caller, isRestricted, type Limits } from '../../kernel/caller.ts';
import type { RuleServices } from '../services.ts';

/** Whether the caller may write documents of the type at all. */
function isWithinReach(type: RuleType, { scope, templates }: Limits): boolean {
  return (scope === null || type.accountsOf !== undefined) && (templates === null || type.templatesOf !== undefined);
}

/**
 * Throws if the caller may not write documents of the type. Most types act on hosts of every account: rules, templates, projects,
 * jobs of cron groups. Callers restricted to accounts or templates write none of them, new or existing, and try none out, because
 * a trial shows what having it would show. Accounts act on hosts of every template.
 */
export function refuseBeyondReach(type: RuleType, caller: Limits): void {
  const refusal = reachRefusal(type, caller);
  if (refusal === undefined) return;
  const limit = limitOf(type, caller);
  throw new AppError('forbidden', refusal, {
    details: [detailOf(type.id, worded`cannot be written by users restricted to ${{ limit: LIMITS[limit] }}`)],
  });
}

/** Returns why the caller may not write documents of the type; `undefined` if they may. */
export function reachRefusal(type: RuleType, caller: Limits): Wording | undefined {
  if (isWithinReach(type, caller)) return undefined;
  return limitOf(type, caller) === 'accounts'
    ? worded`${{ title: titleOf(type) }} (${{ type: type.id }}) act on hosts of all accounts, and you are restricted to some; ask an unrestricted user to write them`
    : worded`${{ title: titleOf(type) }} (${{ type: type.id }}) act on hosts of all templates, and you are restricted to some; ask an unrestricted user to write them`;
}

const LIMITS = { accounts: worded`accounts`, templates: worded`templates` };

/** Titles of types are in the catalogue of the pages as they are. */
function titleOf({ title }: RuleType): Wording {
  return { text: title, template: title, values: {} };
}

function limitOf(type: RuleType, { scope }: Limits): 'accounts' | 'templates' {
  return type.accountsOf === undefined && scope !== null ? 'accounts' : 'templates';
}

/**
 * Throws unless a document, and the one it would replace, belong to accounts (or templates) of the caller and to no other. The
 * refusal is the same whatever is stored there, so that it does not reveal whether a document exists.
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
  if (!isRestricted(caller)) return;
  for (const document of existing === undefined ? [given] : [given, existing]) {
    const limit = await foreignLimit(services, caller, type, document);
    if (limit === undefined) continue;
    const name = memberText(given, type.keyedBy);
    throw new AppError(
      'forbidden',
      worded`${{ id: type.id }} ${{ name }}: does not belong to ${{ limit: LIMITS[limit] }} of yours; nothing was imported`,
      {
        details: [detailOf(path, worded`must belong to ${{ limit: LIMITS[limit] }} of yours, and to no others`)],
      },
    );
  }
}

/** The restriction of the caller that a document is beyond. */
async function foreignLimit(
  services: RuleServices,
  caller: Caller,
  type: RuleType,
  document: RuleDocument,
): Promise<'accounts' | 'templates' | undefined> {
  if (caller.scope !== null && !(await belongsTo(services, caller, type.accountsOf?.(document) ?? [])))
    return 'accounts';
  const { templates } = caller;
  if (templates === null) return undefined;
  const references = type.templatesOf?.(document) ?? [];
  const isOwn = references.length > 0 && references.every((reference) => templates.includes(reference));
  return isOwn ? undefined : 'templates';
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
