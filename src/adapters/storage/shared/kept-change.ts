import type { HostChange, KeptChange, ValueChange } from '../../../ports/index.ts';

/** A change as the history answers it. Its values are parsed when they are read. */
export function keptChange(change: Omit<HostChange, 'changes'>, text: string): KeptChange {
  let values: readonly ValueChange[] | undefined;
  const kept = {
    ...change,
    get changes() {
      values ??= JSON.parse(text) as readonly ValueChange[];
      return values;
    },
  };
  // Not enumerable, because it does not belong to the change that others compare or pass on.
  return Object.defineProperty(kept, 'characters', { value: text.length }) as KeptChange;
}
