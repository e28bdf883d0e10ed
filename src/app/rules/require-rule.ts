import { isListRule } from '../../kit/document/list-rule.ts';
import { memberText } from '../../kit/document/members.ts';
import { worded } from '../../kit/worded.ts';
import { AppError, type RuleRecord, type RuleType } from '../../ports/index.ts';
import { type Caller, isRestricted, writerOf } from '../kernel/caller.ts';
import { isHostType, requireRuleType, requireStoredType } from './rule-type-input.ts';
import type { RuleServices } from './services.ts';

/** The registered type of that ident, for what works on single documents. Hosts are documents too, and kept elsewhere. */
export function requireDocumentType(services: RuleServices, ident: string): RuleType {
  const type = requireRuleType(services, ident);
  if (!isHostType(type)) return type;
  throw new AppError('invalid_input', worded`${{ id: type.id }} are hosts; use the operations of hosts`);
}

/** Works like `requireDocumentType`, but also accepts unknown types with stored documents, to view and remove them. */
export async function requireStoredDocumentType(services: RuleServices, ident: string): Promise<RuleType> {
  const type = await requireStoredType(services, ident);
  return services.plugins.ruleType(ident) === undefined ? type : requireDocumentType(services, ident);
}

/** The rule of that id or name that the caller may see, else `not_found`. */
export async function requireRule(
  services: RuleServices,
  caller: Caller,
  type: RuleType,
  rule: string,
): Promise<RuleRecord> {
  const { rules } = services.storage;
  const record = (await rules.get(type.id, rule)) ?? (await rules.findByName(type.id, rule));
  if (record !== undefined && isVisible(type, record, caller)) return record;
  throw unknownRule(type, rule);
}

/**
 * Whether the caller may know of the document: a restricted caller sees no foreign accounts, no users who reach more, and no
 * pasted lists, whose rows belong to no account.
 */
export function isVisible(type: RuleType, record: Pick<RuleRecord, 'document'>, caller: Caller): boolean {
  if (!isRestricted(caller)) return true;
  const document = record.document.value;
  // A rule that looks at hosts again may still hold the rows.
  if (type.takesList === true && (isListRule(document) || memberText(document, 'list_source') !== '')) return false;
  return type.visible?.(document, writerOf(caller)) ?? true;
}

/** Whether documents of the type may be hidden from restricted callers one by one. */
export function hidesDocuments({ visible, takesList }: RuleType): boolean {
  return visible !== undefined || takesList === true;
}

export function unknownRule(type: Pick<RuleType, 'id'>, rule: string): AppError {
  return new AppError('not_found', worded`there is no rule ${{ rule }} of type ${{ id: type.id }}`);
}
