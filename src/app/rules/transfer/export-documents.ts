import type { ExportGroup, RuleRecord, RuleType } from '../../../ports/index.ts';
import { type Caller, isRestricted } from '../../kernel/caller.ts';
import { isVisible } from '../require-rule.ts';
import { isHostType } from '../rule-type-input.ts';
import { maskedDocument } from '../secrets/masked-documents.ts';
import type { RuleServices } from '../services.ts';
import { heldVersionsOf, isPendingOrHeld } from '../trust/held-versions.ts';
import { withWaitMark } from '../trust/pending.ts';
import { type InertType, unknownRuleType, unknownTypes } from '../unknown-types.ts';

const BATCH_SIZE = 250;

/** The groups of types that an export contains in addition to the actual rules. */
export type ExportGroups = ReadonlySet<ExportGroup>;

const EVERY_GROUP: readonly ExportGroup[] = ['rules', 'hosts', 'accounts', 'users', 'passwords'];

/** Types of these groups, by ident, kept ones when they have documents; and those whose documents only a full export holds. */
export async function exportedTypes(
  { plugins, storage }: RuleServices,
  groups: ExportGroups,
): Promise<{ readonly types: readonly RuleType[]; readonly leftOut: readonly InertType[] }> {
  const isAsked = (type: RuleType): boolean => type.exportGroup === 'rules' || groups.has(type.exportGroup);
  const isFull = EVERY_GROUP.every((group) => groups.has(group));
  // Which members of them are secret a plugin knows that is not there.
  const leftOut: InertType[] = [];
  const counts = await storage.rules.counts();
  const isThere = ({ id, kept }: RuleType): boolean => kept === undefined || (counts.get(id) ?? 0) > 0;
  const types = plugins.ruleTypes().filter((type) => isAsked(type) && isThere(type));
  for (const unknown of await unknownTypes(storage, plugins)) {
    const type = unknownRuleType(unknown.ident);
    if (isFull || (unknown.kept && isAsked(type))) types.push(type);
    else if (!unknown.kept) leftOut.push(unknown);
  }
  return { types: types.sort((a, b) => (a.id < b.id ? -1 : 1)), leftOut };
}

/** Documents of one type as JSON texts, in batches: what is stored as text goes through unparsed. */
async function* documentTexts(
  services: RuleServices,
  type: RuleType,
  caller: Caller,
  only: ReadonlySet<string> | undefined,
): AsyncGenerator<readonly string[]> {
  if (isHostType(type)) {
    yield* (await services.hostDocuments()).texts(caller);
    return;
  }
  const held = await heldVersionsOf(services.storage.rules, type);
  for await (const batch of services.storage.rules.scan(type.id, BATCH_SIZE)) {
    const visible = batch.filter((record) => isVisible(type, record, caller) && isAsked(record, only));
    yield visible.map((record) => {
      const text = seesSecrets(caller) ? record.document.text : maskedText(type, record);
      return isPendingOrHeld(type, record, held) ? withWaitMark(text) : text;
    });
  }
}

function isAsked({ id, name }: RuleRecord, only: ReadonlySet<string> | undefined): boolean {
  return only === undefined || only.has(id) || only.has(name);
}

/**
 * Whether the caller gets hashes and encrypted secrets: to a caller who may not write all documents they are useful for guessing
 * only.
 */
function seesSecrets(caller: Caller): boolean {
  return !caller.readOnly && !isRestricted(caller);
}

/** Posted back it means the same document: a mask stands for the secret that is stored. */
function maskedText(type: RuleType, { document }: RuleRecord): string {
  const isOpen = type.secretMembers.length === 0 && type.kept === undefined;
  return isOpen ? document.text : JSON.stringify(maskedDocument(type, document.value));
}

/** A JSON list of the documents of a type from an offset on, or of those of some names or ids, in pieces. */
export async function* documentList(
  services: RuleServices,
  type: RuleType,
  caller: Caller,
  { start = 0, only }: { readonly start?: number; readonly only?: ReadonlySet<string> | undefined } = {},
): AsyncGenerator<string> {
  let separator = '';
  let skipped = 0;
  yield '[';
  for await (const batch of documentTexts(services, type, caller, only)) {
    const skip = Math.min(start - skipped, batch.length);
    skipped += skip;
    if (skip === batch.length) continue;
    yield separator + batch.slice(skip).join(',');
    separator = ',';
  }
  yield ']';
}
