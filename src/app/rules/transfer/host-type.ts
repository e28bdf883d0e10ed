import type { RuleType } from '../../../ports/index.ts';

/** Host documents live among the hosts, not among the rules. */
export function isHostType(type: Pick<RuleType, 'id'>): boolean {
  return type.id === 'host_objects';
}
