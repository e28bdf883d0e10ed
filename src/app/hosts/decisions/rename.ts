import type { HostRename } from '../../../ports/index.ts';
import type { Remembered } from './host-changes.ts';

/** Returns the history entry for a host that got another name. */
export function renameChange({ from, to }: HostRename): Remembered {
  return { kind: 'renamed', changes: [{ path: 'hostname', before: from, after: to }] };
}

/** The names that hosts have in the end, by those they had at first, where several renames follow each other. */
export function lastNames(renames: readonly HostRename[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const firstOf = new Map<string, string>();
  for (const { from, to } of renames) {
    const first = firstOf.get(from) ?? from;
    firstOf.delete(from);
    firstOf.set(to, first);
    names.set(first, to);
  }
  return names;
}
