import { scalarsOf } from '../../../kit/json/values-at.ts';
import type { HostRecord, JsonValue } from '../../../ports/index.ts';
import { labelField } from './conditions.ts';
import { ValueCounter, type ValueCounts } from './value-counts.ts';

/** Labels of more names are left out: their names come from data. */
const MOST_NAMES = 1000;
/** A label with more different values distinguishes single hosts rather than groups. */
const MOST_VALUES = 500;
/** Labels that only number or address a thing named by another label. */
const REFERENCE = /(?:^|[._-])(?:id|uuid|url|slug)$/i;

interface CountedLabel {
  hosts: number;
  /** Absent once there were too many values. */
  counter: ValueCounter | undefined;
}

/** How often the labels of hosts occur, and which of them tell the hosts apart. */
export class LabelCounter {
  readonly #labels = new Map<string, CountedLabel>();
  #hosts = 0;

  add(host: HostRecord): void {
    this.#hosts++;
    for (const [name, value] of Object.entries(host.labels.value)) {
      const counted = this.#countedOf(name);
      if (counted === undefined) continue;
      counted.hosts++;
      counted.counter?.add(scalarsOf(value as JsonValue));
      if (counted.counter !== undefined && counted.counter.different > MOST_VALUES) counted.counter = undefined;
    }
  }

  /** The most frequent first, by the field that asks for them. */
  names(limit: number): readonly { readonly field: string; readonly count: number }[] {
    const sorted = [...this.#labels].sort(([a, one], [b, other]) => other.hosts - one.hosts || (a < b ? -1 : 1));
    return sorted.slice(0, limit).map(([name, { hosts }]) => ({ field: labelField(name), count: hosts }));
  }

  /** Those that most hosts have, and of which there are several values, names of things before their ids; by name. */
  telling(labels: number, values: number): readonly (ValueCounts & { readonly field: string })[] {
    const candidates = [...this.#labels].flatMap(([name, { hosts, counter }]) => {
      if (counter === undefined || counter.different === 0) return [];
      // A label with a different value on nearly every host is not worth choosing.
      const isName = counter.different > 12 && counter.different * 2 > hosts;
      const rank = (counter.different > 1 ? hosts : hosts / 2) * (REFERENCE.test(name) ? 0.1 : 1);
      return isName ? [] : [{ name, counter, rank }];
    });
    const chosen = candidates.sort((a, b) => b.rank - a.rank || (a.name < b.name ? -1 : 1)).slice(0, labels);
    return chosen
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, counter }) => {
        const most = counter.most(values);
        const lacking = this.#hosts - (this.#labels.get(name)?.hosts ?? 0);
        return { ...most, field: labelField(name), without: most.without + lacking };
      });
  }

  #countedOf(name: string): CountedLabel | undefined {
    const known = this.#labels.get(name);
    if (known !== undefined || this.#labels.size >= MOST_NAMES) return known;
    const counted = { hosts: 0, counter: new ValueCounter() };
    this.#labels.set(name, counted);
    return counted;
  }
}
