import { isJsonObject } from '../../../kit/json/json-object.ts';
import { worded } from '../../../kit/worded.ts';
import { shellWord } from '../../../kit/words/escape.ts';
import { AppError, type JsonValue, type RuleRecord, type RuleType, type Wording } from '../../../ports/index.ts';
import type { PluginRegistry } from '../../kernel/plugin-host/registry.ts';
import { macroActs } from '../engine/secret-macros.ts';

/**
 * Roles decide who may store a document. What it makes the machine do counts only when an administrator, or the operator at
 * the machine, wrote it or confirmed it; until then the document waits.
 */

/** Returns what the document makes the machine do, in words that follow "it"; empty if it only describes. */
export function actsOf(type: RuleType, record: Pick<RuleRecord, 'document'>): readonly string[] {
  if (type.kept !== undefined) return [];
  const document = record.document.value;
  return [...(type.acts?.(document) ?? []), ...macroActs(document)];
}

/** True for a document that would make the machine act and is not confirmed. */
export function isPending(type: RuleType, record: Pick<RuleRecord, 'document' | 'confirmedBy'>): boolean {
  return record.confirmedBy === null && actsOf(type, record).length > 0;
}

/** The member by which an export says that a document waits. It is never stored. */
const MARK = '_waits';
export const WAIT_MARK = { [MARK]: true };

/** A document as an export has it, without the mark that it waits there. */
export function withoutWaitMark(document: JsonValue): { readonly document: JsonValue; readonly isMarked: boolean } {
  if (!isJsonObject(document) || !Object.hasOwn(document, MARK)) return { document, isMarked: false };
  const { [MARK]: mark, ...others } = document;
  return { document: others, isMarked: mark === true };
}

/** The text of a document with that mark behind its other members. */
export function withWaitMark(text: string): string {
  return `${text.slice(0, text.lastIndexOf('}'))},"${MARK}":true}`;
}

export function importWaitsMessage({ type, name }: Pick<RuleRecord, 'type' | 'name'>): Wording {
  return worded`${{ type }} ${{ name }} waits for an administrator here or where it comes from, and an import alone does not confirm it: read it, and import it with --confirm (confirm=1), or confirm it with "muster rules confirm ${{ type }} ${{ word: shellWord(name) }}"`;
}

/** The sentence that everything says which does not happen because a document waits. */
export function waitsMessage({ type, name }: Pick<RuleRecord, 'type' | 'name'>): Wording {
  return worded`${{ type }} ${{ name }} waits for an administrator, because someone else wrote it: read it, and confirm it on its page or with "muster rules confirm ${{ type }} ${{ word: shellWord(name) }}"`;
}

/** Refuses to act on a document that waits. */
export function requireConfirmed(plugins: PluginRegistry, record: RuleRecord): void {
  const type = plugins.ruleType(record.type);
  if (type !== undefined && isPending(type, record)) throw new AppError('failed', waitsMessage(record));
}

/** The documents that an account is read from. */
interface AccountRecords {
  readonly record: RuleRecord;
  /** That of the parent which it inherits from. */
  readonly parentRecord: RuleRecord | undefined;
}

/** Refuses to read from or write to what an account names that waits, or that inherits from one. */
export function requireConfirmedAccount(plugins: PluginRegistry, { record, parentRecord }: AccountRecords): void {
  requireConfirmed(plugins, record);
  if (parentRecord !== undefined && parentRecord.confirmedBy === null) {
    throw new AppError('failed', waitsMessage(parentRecord));
  }
}

/** True if an account, or the one it inherits from, is not confirmed: what documents make of its fields is data. */
export function isUnconfirmedAccount({ record, parentRecord }: AccountRecords): boolean {
  return record.confirmedBy === null || parentRecord?.confirmedBy === null;
}
