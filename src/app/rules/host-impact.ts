import type { EvaluatedHost, HostRecord, ValueChange } from '../../ports/index.ts';
import { changesBetween } from '../domain/document-diff.ts';
import type { HostProgram } from '../domain/rules/program-input.ts';

/** What changes on one host of an inventory when other rules run. */
export interface HostImpact {
  readonly hostname: string;
  readonly change: 'changed' | 'appears' | 'disappears';
  readonly changes: ValueChange[];
}

/**
 * The difference between two programs on one host, `undefined` when there is none. Values of account fields are hidden: who
 * tries rules out need not be one who may read them.
 */
export function hostImpact(
  beforeProgram: HostProgram,
  afterProgram: HostProgram,
  host: HostRecord,
): HostImpact | undefined {
  const before = beforeProgram.evaluate(host);
  const after = afterProgram.evaluate(host);
  const { hostname } = before;
  if (before.included !== after.included) {
    return { hostname, change: after.included ? 'appears' : 'disappears', changes: [] };
  }
  if (before.variables.text === after.variables.text && sameExpressions(before, after)) return undefined;
  const changes = changesBetween(
    beforeProgram.masked({ ...before.variables.value, ...before.expressions }),
    afterProgram.masked({ ...after.variables.value, ...after.expressions }),
  );
  return changes.length === 0 ? undefined : { hostname, change: 'changed', changes: [...changes] };
}

function sameExpressions(before: EvaluatedHost, after: EvaluatedHost): boolean {
  return JSON.stringify(before.expressions) === JSON.stringify(after.expressions);
}
