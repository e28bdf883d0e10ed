import { changesBetween } from '../../kit/json/document-diff.ts';
import type { EvaluatedHost, HostRecord, JsonObject, ValueChange } from '../../ports/index.ts';
import type { PreviewProgram } from './engine/program-input.ts';

/** The changes on one host of an inventory when other rules run. */
export interface HostImpact {
  readonly hostname: string;
  readonly change: 'changed' | 'appears' | 'disappears';
  readonly changes: ValueChange[];
}

/**
 * The difference between two programs on one host, `undefined` when there is none. They are previews: who tries rules out
 * need not be one who may read the secrets of accounts.
 */
export function hostImpact(
  beforeProgram: PreviewProgram,
  afterProgram: PreviewProgram,
  host: HostRecord,
): HostImpact | undefined {
  const before = beforeProgram.evaluate(host);
  const after = afterProgram.evaluate(host);
  const { hostname } = before;
  if (before.included !== after.included) {
    return { hostname, change: after.included ? 'appears' : 'disappears', changes: [] };
  }
  if (before.variables.text === after.variables.text && sameBeside(before, after)) return undefined;
  const changes = [
    ...changesBetween(
      { ...before.variables.value, ...before.expressions },
      { ...after.variables.value, ...after.expressions },
    ),
    ...changesBetween(outcomeValues(before), outcomeValues(after)),
  ];
  return changes.length === 0 ? undefined : { hostname, change: 'changed', changes };
}

function sameBeside(before: EvaluatedHost, after: EvaluatedHost): boolean {
  return (
    JSON.stringify(before.expressions) === JSON.stringify(after.expressions) &&
    JSON.stringify(outcomeValues(before)) === JSON.stringify(outcomeValues(after))
  );
}

/** Returns the decisions of a target's rules, by rule type. */
function outcomeValues({ outcomes = {} }: EvaluatedHost): JsonObject {
  const entries = Object.entries(outcomes).map(([type, decided]) => [type, decided.map(({ value }) => value)] as const);
  return Object.fromEntries(entries);
}
