import type { RuleRecord } from '../../ports/index.ts';
import { compareEnvelopes, readEnvelope } from './engine/envelope.ts';

/** Enabled documents of a type that is keyed by name, in the order of evaluation. */
export function inEvaluationOrder(records: readonly RuleRecord[]): readonly RuleRecord[] {
  return records
    .map((record) => ({
      record,
      envelope: readEnvelope(record.document.value, { conditional: false, keyedBy: 'name' }),
    }))
    .filter(({ envelope }) => envelope.enabled)
    .sort((a, b) => compareEnvelopes(a.envelope, b.envelope))
    .map(({ record }) => record);
}
