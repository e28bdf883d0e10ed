import { scalarsOf } from '../../../../kit/json/values-at.ts';
import type { HostRecord, JsonValue, LabelScalar } from '../../../../ports/index.ts';
import { anyConditionText, conditionText, missingText, presentText } from '../conditions.ts';
import { foldedText } from '../folded-text.ts';
import { spelledAlike } from './spelling.ts';

/** Labels of more names are left out: their names come from data. */
const MOST_NAMES = 1000;
/** A label with more different values names hosts rather than kinds of them; the spelling of those does not matter. */
const MOST_VALUES = 2000;
/** A longer text is prose. */
const LONGEST_VALUE = 200;
/** Spellings of one value; one query does not ask for more. */
const MOST_SPELLINGS = 20;

export interface LabelShare {
  readonly label: string;
  /** Hosts that have it with a value; if it is a list, with non-empty values only. */
  readonly filled: number;
  readonly filledWhere: string;
  /** Hosts that have it, and empty or with an empty value in its list. */
  readonly empty: number;
  readonly emptyWhere: string;
  readonly missing: number;
  readonly missingWhere: string;
}

/** One value that is spelled in several ways. */
export interface SpelledLabel {
  readonly label: string;
  readonly hosts: number;
  readonly spellings: readonly { readonly value: string; readonly count: number }[];
  readonly where: string;
}

/** Labels whose names differ in case alone. */
export interface NamedLabels {
  readonly names: readonly { readonly name: string; readonly count: number }[];
  readonly hosts: number;
  readonly where: string;
}

/** Labels of one name, whatever its case. */
interface Name {
  readonly labels: Set<string>;
  /** How many hosts have one more of them. */
  further: number;
}

interface Seen {
  readonly name: Name;
  filled: number;
  empty: number;
  /** How many hosts have a value; absent once there were too many. */
  values: Map<string, number> | undefined;
  /** How many hosts have one more spelling of a value in the same list. */
  readonly further: Map<string, number>;
}

/** How complete and how uniform the labels of hosts are. */
export class LabelQuality {
  readonly #labels = new Map<string, Seen>();
  /** By their names in lower case. */
  readonly #names = new Map<string, Name>();
  #hosts = 0;
  #isCut = false;

  /** True if there were more labels than are examined. */
  get isCut(): boolean {
    return this.#isCut;
  }

  add({ labels }: Pick<HostRecord, 'labels'>): void {
    this.#hosts++;
    const shared: Name[] = [];
    for (const [label, value] of Object.entries(labels.value)) {
      const seen = this.#seenOf(label);
      if (seen === undefined) continue;
      addTo(seen, scalarsOf(value as JsonValue));
      shared.push(seen.name);
    }
    if (shared.some((name) => name.labels.size > 1)) noteFurtherNames(shared);
  }

  /** The least complete first; those that every host has filled come last, all by name. */
  shares(): readonly LabelShare[] {
    const shares = [...this.#labels].map(([label, { filled, empty }]): LabelShare => {
      const field = `label.${label}`;
      const isEmpty = conditionText(field, '');
      return {
        label,
        filled,
        filledWhere: `${presentText(field)} -${isEmpty}`,
        empty,
        emptyWhere: isEmpty,
        missing: this.#hosts - filled - empty,
        missingWhere: missingText(field),
      };
    });
    return shares.sort((a, b) => a.filled - b.filled || (a.label < b.label ? -1 : 1));
  }

  /** Values that differ in case and spaces alone; those of the most hosts first. */
  spelledDifferently(): readonly SpelledLabel[] {
    const found: SpelledLabel[] = [];
    for (const [label, { values, further }] of this.#labels) {
      if (values === undefined) continue;
      const alike = new Map<string, { value: string; count: number }[]>();
      for (const [value, count] of values) {
        const key = spelledAlike(value);
        const group = alike.get(key);
        if (group === undefined) alike.set(key, [{ value, count }]);
        else group.push({ value, count });
      }
      for (const [key, group] of alike) {
        if (group.length > 1) found.push(spelledOf(label, group, further.get(key) ?? 0));
      }
    }
    return found.sort((a, b) => b.hosts - a.hosts || (a.where < b.where ? -1 : 1));
  }

  /** Labels whose names differ in case alone; those of the most hosts first. */
  namedDifferently(): readonly NamedLabels[] {
    return [...this.#names.values()]
      .filter(({ labels }) => labels.size > 1)
      .map(({ labels, further }): NamedLabels => {
        const names = [...labels]
          .map((name) => ({ name, count: this.#hostsWith(name) }))
          .toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
        return {
          names,
          hosts: names.reduce((sum, { count }) => sum + count, -further),
          where: names.map(({ name }) => presentText(`label.${name}`)).join(' OR '),
        };
      })
      .sort((a, b) => b.hosts - a.hosts || (a.where < b.where ? -1 : 1));
  }

  #hostsWith(label: string): number {
    const { filled = 0, empty = 0 } = this.#labels.get(label) ?? {};
    return filled + empty;
  }

  #seenOf(label: string): Seen | undefined {
    const known = this.#labels.get(label);
    if (known !== undefined) return known;
    if (this.#labels.size >= MOST_NAMES) {
      this.#isCut = true;
      return undefined;
    }
    const seen: Seen = { name: this.#nameOf(label), filled: 0, empty: 0, values: new Map(), further: new Map() };
    this.#labels.set(label, seen);
    return seen;
  }

  #nameOf(label: string): Name {
    const key = foldedText(label);
    const name = this.#names.get(key) ?? { labels: new Set(), further: 0 };
    this.#names.set(key, name);
    name.labels.add(label);
    return name;
  }
}

/** Counts further names among the labels of one host. */
function noteFurtherNames(names: readonly Name[]): void {
  const met = new Set<Name>();
  for (const name of names) {
    if (met.has(name)) name.further++;
    met.add(name);
  }
}

function addTo(seen: Seen, values: readonly LabelScalar[]): void {
  // Nearly every host has one value, which needs no set.
  const [only] = values;
  const texts = values.length === 1 ? [String(only ?? '')] : [...new Set(values.map((value) => String(value ?? '')))];
  if (texts.length !== 1) noteFurther(seen, texts);
  let hasEmpty = false;
  for (const text of texts) {
    if (text === '') hasEmpty = true;
    else if (seen.values !== undefined && text.length <= LONGEST_VALUE) {
      const count = seen.values.get(text) ?? 0;
      seen.values = count === 0 && seen.values.size >= MOST_VALUES ? undefined : seen.values.set(text, count + 1);
    }
  }
  if (hasEmpty) seen.empty++;
  else seen.filled++;
}

function noteFurther({ further }: Seen, texts: readonly string[]): void {
  const keys = new Set<string>();
  for (const text of texts) {
    const key = spelledAlike(text);
    if (keys.has(key) && (further.has(key) || further.size < MOST_VALUES))
      further.set(key, (further.get(key) ?? 0) + 1);
    keys.add(key);
  }
}

function spelledOf(
  label: string,
  group: readonly { readonly value: string; readonly count: number }[],
  further: number,
): SpelledLabel {
  const spellings = group
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MOST_SPELLINGS);
  return {
    label,
    hosts: spellings.reduce((sum, { count }) => sum + count, -further),
    spellings,
    where: anyConditionText(`label.${label}`, [...new Set(spellings.map(({ value }) => foldedText(value)))]),
  };
}
