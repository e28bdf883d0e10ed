import { changesBetween } from '../../kit/json/document-diff.ts';
import type { ValueChange } from '../../ports/index.ts';
import type { ServedHost } from '../inventory/served-host.ts';

export interface HostDifference {
  readonly hostname: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly by: ('host' | 'rules')[];
  readonly joined: string[];
  readonly left: string[];
  readonly change_count: number;
  readonly changes: ValueChange[];
}

const MOST_CHANGES = 100;
const MOST_GROUPS = 100;
/** Maximum size of the values in an answer, characters. */
const MOST_CHARACTERS = 8_000_000;

type Sides = readonly [ServedHost | undefined, ServedHost | undefined];

export function isSame([before, after]: Sides): boolean {
  if (before === undefined || after === undefined) return before === after;
  if (JSON.stringify(before) === JSON.stringify(after)) return true;
  // The order of members makes no difference to readers.
  return (
    before.groups.join('\n') === after.groups.join('\n') &&
    changesBetween(before.variables, after.variables).length === 0
  );
}

/** The differences between two times, counted whole and shown up to a limit. */
export class TimeDifference {
  readonly counts = { added: 0, removed: 0, changed: 0 };
  readonly details: HostDifference[] = [];
  readonly #groups = new Map<string, { joined: number; left: number }>();
  readonly #limit: number;
  #characters = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Groups by name with how many hosts came and went, the first hundred. */
  get groups(): { readonly name: string; readonly joined: number; readonly left: number }[] {
    return [...this.#groups]
      .map(([name, counts]) => ({ name, ...counts }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .slice(0, MOST_GROUPS);
  }

  get groupCount(): number {
    return this.#groups.size;
  }

  add([before, after]: Sides, by: HostDifference['by']): void {
    const hostname = after?.hostname ?? before?.hostname;
    if (hostname === undefined) return;
    const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
    this.counts[change]++;
    const [old, now] = [new Set(before?.groups), new Set(after?.groups)];
    const joined = [...now].filter((group) => !old.has(group));
    const left = [...old].filter((group) => !now.has(group));
    for (const group of joined) this.#group(group).joined++;
    for (const group of left) this.#group(group).left++;
    if (this.details.length >= this.#limit || this.#characters > MOST_CHARACTERS) return;
    const changes = change === 'changed' ? changesBetween(before?.variables ?? {}, after?.variables ?? {}) : [];
    const shown = changes.slice(0, MOST_CHANGES);
    this.#characters += JSON.stringify(shown).length;
    this.details.push({ hostname, change, by, joined, left, change_count: changes.length, changes: shown });
  }

  #group(name: string): { joined: number; left: number } {
    const counts = this.#groups.get(name) ?? { joined: 0, left: 0 };
    this.#groups.set(name, counts);
    return counts;
  }
}
