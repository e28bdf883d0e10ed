import type { HostChange, KeptChange, ValueChange } from '../../../ports/index.ts';

/** A change as the history answers it. Its values are taken apart when somebody reads them. */
export function keptChange(change: Omit<HostChange, 'changes'>, text: string): KeptChange {
  let values: readonly ValueChange[] | undefined;
  const kept = {
    ...change,
    get changes() {
      values ??= JSON.parse(text) as readonly ValueChange[];
      return values;
    },
  };
  // It is no part of the change that others compare or hand on.
  return Object.defineProperty(kept, 'characters', { value: text.length }) as KeptChange;
}
