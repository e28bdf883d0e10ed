import { createHash } from 'node:crypto';
import { memberFlag, memberText } from '../../kit/document/members.ts';
import { canonicalJson } from '../../kit/json/canonical-json.ts';
import { type RuleDocument, type RuleRecord, type RuleType, type RuleWrite, StoredJson } from '../../ports/index.ts';
import { APPLIED } from '../kernel/plugin-host/registry.ts';
import { maskedDocument } from '../rules/secrets/masked-documents.ts';
import type { RuleServices } from '../rules/services.ts';
import { WAIT_MARK } from '../rules/trust/pending.ts';

/** The mark of an apply on a document of its folder. It is stored with the documents, so copies and backups have it. */
export interface AppliedMark {
  readonly ruleType: string;
  readonly ruleId: string;
  readonly ruleName: string;
  /** The name of the set of documents that the folder is. */
  readonly applyset: string;
  /** Whether an apply made the document, or took it over: only such a one is ever removed by one. */
  readonly made: boolean;
  /** Digest of the document in its applied state, without its secrets. */
  readonly digest: string;
}

/** All marks, by type and id of the document. */
export async function appliedMarks({ storage }: RuleServices): Promise<ReadonlyMap<string, AppliedMark>> {
  const records = await storage.rules.list(APPLIED);
  return new Map(records.map(({ document }) => markOf(document.value)).map((mark) => [keyOf(mark), mark]));
}

function markOf(document: RuleDocument): AppliedMark {
  return {
    ruleType: memberText(document, 'rule_type'),
    ruleId: memberText(document, 'rule'),
    ruleName: memberText(document, 'rule_name'),
    applyset: memberText(document, 'applyset'),
    made: memberFlag(document, 'made'),
    digest: memberText(document, 'digest'),
  };
}

export function keyOf({ ruleType, ruleId }: Pick<AppliedMark, 'ruleType' | 'ruleId'>): string {
  return `${ruleType}/${ruleId}`;
}

export function markWrite(mark: AppliedMark): RuleWrite {
  const id = idOf(mark);
  const { ruleType, ruleId, ruleName, applyset, made, digest } = mark;
  const members = { rule_type: ruleType, rule: ruleId, rule_name: ruleName, applyset, made, digest };
  const document = { _id: { $oid: id }, name: keyOf(mark), ...members };
  const stored = StoredJson.ofValue<RuleDocument>(document);
  return { type: APPLIED, id, name: keyOf(mark), uniqueName: true, document: stored, confirmedBy: null };
}

export async function removeMark({ storage, clock }: RuleServices, mark: AppliedMark): Promise<void> {
  const actor = { kind: 'system', name: 'rules' } as const;
  await storage.rules.remove({ type: APPLIED, id: idOf(mark), at: clock.now(), actor });
}

function idOf(mark: Pick<AppliedMark, 'ruleType' | 'ruleId'>): string {
  return createHash('sha256').update(keyOf(mark)).digest('hex').slice(0, 24);
}

/**
 * Tells a document from another state of it, by what people write: neither its id nor what the program counts, and of secrets only
 * that there is one, because keys are changed.
 */
export function digestOf(type: RuleType, document: RuleDocument): string {
  return createHash('sha256')
    .update(comparable(maskedDocument(type, document), type))
    .digest('hex');
}

/** The text of what people write in a document, whatever the order of its members. */
export function comparable(document: RuleDocument, type: Pick<RuleType, 'countedMembers'>): string {
  return canonicalJson(writtenMembers(document, type));
}

export function writtenMembers(
  document: RuleDocument,
  { countedMembers = [] }: Pick<RuleType, 'countedMembers'>,
): RuleDocument {
  const own = new Set(['_id', ...Object.keys(WAIT_MARK), ...countedMembers]);
  return Object.fromEntries(Object.entries(document).filter(([name]) => !own.has(name)));
}

/** Whether the document was changed by hand since it was applied. */
export function hasDrifted(type: RuleType, mark: AppliedMark, record: RuleRecord): boolean {
  return digestOf(type, record.document.value) !== mark.digest;
}
