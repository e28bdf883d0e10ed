import type { TargetHost, TargetOutcome } from '../../../ports/target.ts';
import type { DecidedOutcome } from './host-state.ts';

/** As a target gets them. */
export function outcomesByType(outcomes: readonly DecidedOutcome[]): TargetHost['outcomes'] {
  const types = new Map<string, TargetOutcome[]>();
  for (const { type, rule, value } of outcomes) {
    const known = types.get(type);
    if (known === undefined) types.set(type, [{ rule, value }]);
    else known.push({ rule, value });
  }
  return Object.fromEntries(types);
}
