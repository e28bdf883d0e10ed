import type { ConfirmedBy } from '../../../ports/index.ts';

/** Returns the party that vouches for a document after a write: see `RuleWrite`. `present` is absent for a new document. */
export function confirmationAfter(
  present: { readonly confirmedBy: ConfirmedBy; readonly isSame: boolean } | undefined,
  written: ConfirmedBy | 'keep',
): ConfirmedBy {
  if (written === 'keep') return present?.confirmedBy ?? null;
  return present?.isSame === true ? stronger(present.confirmedBy, written) : written;
}

export function stronger(left: ConfirmedBy, right: ConfirmedBy): ConfirmedBy {
  if (left === 'operator' || right === 'operator') return 'operator';
  return left ?? right;
}
