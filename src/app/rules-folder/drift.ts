import type { RuleRecord, RuleType, ValueChange } from '../../ports/index.ts';
import type { RuleServices } from '../rules/services.ts';
import { type AppliedMark, digestOf, hasDrifted } from './applied-marks.ts';
import { fieldChanges } from './field-changes.ts';

/** Versions to look for the applied one among. */
const VERSIONS = 100;

/** The change of a document by hand since it was applied. */
export interface Drift {
  readonly change: 'changed' | 'removed';
  readonly by: string;
  readonly at: Date;
  /** From the applied state to that of now; empty where the applied one is not kept any more. */
  readonly changes: readonly ValueChange[];
}

/** `undefined` for a document that is as it was applied. */
export async function driftOf(
  { storage }: RuleServices,
  type: RuleType,
  mark: AppliedMark,
  record: RuleRecord | undefined,
): Promise<Drift | undefined> {
  if (record !== undefined && !hasDrifted(type, mark, record)) return undefined;
  const versions = await storage.rules.versions(type.id, mark.ruleId, VERSIONS);
  const [newest] = versions;
  const base = { by: newest?.actor ?? '', at: newest?.at ?? record?.changedAt ?? new Date(0) };
  if (record === undefined) return { ...base, change: 'removed', changes: [] };
  const applied = versions.find(({ document }) => digestOf(type, document.value) === mark.digest);
  const changes = applied === undefined ? [] : fieldChanges(type, applied.document.value, record.document.value);
  return { ...base, change: 'changed', changes };
}
