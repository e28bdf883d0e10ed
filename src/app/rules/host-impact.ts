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
  return impactBetween(beforeProgram.evaluate(host), afterProgram.evaluate(host));
}

/** The difference between two results for one host or row of a list; `undefined` for one that is not there. */
export function impactBetween(
  before: EvaluatedHost | undefined,
  after: EvaluatedHost | undefined,
): HostImpact | undefined {
  const isThere = after?.included === true;
  if ((before?.included === true) !== isThere) {
    const hostname = (after ?? before)?.hostname ?? '';
    return { hostname, change: isThere ? 'appears' : 'disappears', changes: [] };
  }
  if (before === undefined || after === undefined) return undefined;
  if (before.variables.text === after.variables.text && sameBeside(before, after)) return undefined;
  const changes = [
    ...changesBetween(
      { ...before.variables.value, ...before.expressions },
      { ...after.variables.value, ...after.expressions },
    ),
    ...expressionChanges(before, after),
    ...changesBetween(outcomeValues(before), outcomeValues(after)),
  ];
  return changes.length === 0 ? undefined : { hostname: before.hostname, change: 'changed', changes };
}

/** Values that became expressions, which the consumer evaluates, or that ceased to be ones. */
function expressionChanges(before: EvaluatedHost, after: EvaluatedHost): readonly ValueChange[] {
  const [were = {}, are = {}] = [before.expressions, after.expressions];
  const became = Object.keys(are).filter((name) => Object.hasOwn(before.variables.value, name));
  const ceased = Object.keys(were).filter((name) => Object.hasOwn(after.variables.value, name));
  return [
    ...became.map((name) => ({ path: `${name} (expression)`, before: false, after: true })),
    ...ceased.map((name) => ({ path: `${name} (expression)`, before: true, after: false })),
  ];
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
