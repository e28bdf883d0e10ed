import { plural, t } from '@lingui/core/macro';
import type { OfferedOutput } from '../../offered-operations.ts';
import { numberText } from '../language/numbers.ts';

type Impact = Pick<OfferedOutput<'rules/rules-impact'>, 'hosts' | 'changed' | 'is_exact' | 'of' | 'target'>;

/** How many hosts would change in an inventory, or in exports to a type of targets. */
export function impactText({ hosts, changed, is_exact: isExact, of, target }: Impact, provider: string): string {
  const looked = numberText(hosts);
  const all = numberText(of);
  const text = isExact ? looked : t`the first ${looked} of ${all}`;
  return target === undefined ? inInventory(changed, text, provider) : inExports(changed, text, target, provider);
}

function inInventory(changed: number, hosts: string, provider: string): string {
  if (changed === 0) return t`No host of ${hosts} would change in the inventory of ${provider}.`;
  return plural(changed, {
    one: `# of ${hosts} hosts would change in the inventory of ${provider}.`,
    other: `# of ${hosts} hosts would change in the inventory of ${provider}.`,
  });
}

function inExports(changed: number, hosts: string, target: string, provider: string): string {
  if (changed === 0) return t`No host of ${hosts} would change in exports to ${target} (project ${provider}).`;
  return plural(changed, {
    one: `# of ${hosts} hosts would change in exports to ${target} (project ${provider}).`,
    other: `# of ${hosts} hosts would change in exports to ${target} (project ${provider}).`,
  });
}
