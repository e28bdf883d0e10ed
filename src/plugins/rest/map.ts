import { setOwn } from '../../kit/file-source/own-property.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { flatList } from '../../kit/records/flat-labels.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import { isList, stepsIntoLists, valuesAt } from '../../kit/records/record-path.ts';
import { relationsOf } from '../../kit/records/relation-fields.ts';
import type { JsonObject, JsonValue, LeftOutRecords, SourceItem, SourceRecord } from '../../ports/index.ts';
import type { Mapping } from './preset.ts';
import type { TypedRecords } from './typed-records.ts';

/** Makes records of what a system answers: as the options of the account say, then as the mapping of its preset does. */
export class RecordMapper {
  readonly #maker: RecordMaker;
  readonly #mapping: Mapping;
  readonly #isPlain: boolean;
  readonly #taken: TakenMembers;

  readonly #typed: TypedRecords;

  constructor(maker: RecordMaker, mapping: Mapping, typed: TypedRecords) {
    this.#maker = maker;
    this.#mapping = mapping;
    this.#typed = typed;
    this.#taken = takenMembers(mapping);
    const { others, empty, values, split, relations } = mapping;
    const isRewritten = Object.keys(values).length + Object.keys(split).length + relations.length > 0;
    this.#isPlain = this.#taken.isEmpty && !isRewritten && others === 'keep' && empty === 'keep';
  }

  /** For records of one answer, which may say what names in them mean. */
  in(answer: JsonValue): (element: JsonValue, position: string) => SourceItem | undefined {
    const called = calledNames(answer, this.#mapping.pairs?.names);
    return (element, position) =>
      this.#typedItem(this.#shaped(this.#listed(element, position), element, called), element);
  }

  named(name: string, element: JsonValue): SourceItem | undefined {
    return this.#typedItem(this.#shaped(this.#maker.byName(name, element), element, NO_NAMES), element);
  }

  #listed(element: JsonValue, position: string): SourceItem | undefined {
    const named = isJsonObject(element) ? this.#typed.nameOf(element) : undefined;
    if (named === undefined) return this.#maker.listed(element, position);
    // Records that the filter leaves out need no name.
    const item = this.#maker.byName('name' in named ? named.name : UNNAMED, element, position);
    if (item?.kind !== 'record' || 'name' in named) return item;
    return { kind: 'skipped', position, reason: named.reason, ...(item.keys && { keys: item.keys }) };
  }

  #typedItem(item: SourceItem | undefined, element: JsonValue): SourceItem | undefined {
    return item?.kind === 'record' && isJsonObject(element) ? this.#typed.typed(item, element) : item;
  }

  leftOut(): readonly LeftOutRecords[] {
    return this.#maker.leftOut();
  }

  surelyLeavesOut(element: JsonValue, position: string): boolean {
    return this.#maker.surelyLeavesOut(element, position);
  }

  #shaped(
    item: SourceItem | undefined,
    element: JsonValue,
    called: ReadonlyMap<string, string>,
  ): SourceItem | undefined {
    if (this.#isPlain || item?.kind !== 'record' || !isJsonObject(element)) return item;
    const { labels, others, empty, pairs, sections, relations } = this.#mapping;
    const made = others === 'keep' ? this.#taken.without(item.labels) : {};
    for (const [label, path] of Object.entries(labels)) {
      const value = labelAt(element, path);
      if (value !== undefined) setOwn(made, label, value);
    }
    if (pairs !== undefined) addPairs(made, element, pairs, called);
    if (empty === 'drop') dropEmpty(made);
    rewrite(made, this.#mapping);
    const inventory = sectionsOf(element, sections, item);
    return {
      ...item,
      labels: made,
      ...(inventory === undefined ? {} : { inventory }),
      ...(relations.length === 0
        ? {}
        : {
            relations: relationsOf(
              element,
              relations.map(({ type, target }) => ({ type, path: target })),
            ),
          }),
    };
  }
}

type NameTable = NonNullable<NonNullable<Mapping['pairs']>['names']>;

/** Placeholder for the name while the filter runs. */
const UNNAMED = '?';

const NO_NAMES: ReadonlyMap<string, string> = new Map();

function calledNames(answer: JsonValue, table: NameTable | undefined): ReadonlyMap<string, string> {
  if (table === undefined) return NO_NAMES;
  const entries = elementsAt(answer, table.list);
  return new Map(
    entries.flatMap((entry): [string, string][] => {
      const [id] = valuesAt(entry, table.key) ?? [];
      const [called] = valuesAt(entry, table.value) ?? [];
      return typeof called === 'string' && id !== undefined && id !== null ? [[String(id), called]] : [];
    }),
  );
}

/** Returns the values at a path, with lists expanded. */
function elementsAt(value: JsonValue, path: string): readonly JsonValue[] {
  return (valuesAt(value, path) ?? []).flatMap((found) => (isList(found) ? found : [found]));
}

function labelAt(element: JsonObject, path: string): JsonValue | undefined {
  const values = valuesAt(element, path);
  if (values === undefined) return undefined;
  if (stepsIntoLists(path)) return flatList(elementsAt(element, path));
  const [value] = values;
  if (value === undefined) return undefined;
  if (isList(value)) return flatList(value);
  return isJsonObject(value) ? flatValue([value]) : value;
}

/** One value stands for itself. */
function flatValue(values: readonly JsonValue[]): JsonValue {
  const flat = flatList(values);
  return isList(flat) && flat.length === 1 && flat[0] !== undefined ? flat[0] : flat;
}

function addPairs(
  labels: Record<string, JsonValue>,
  element: JsonObject,
  { list, name, value: paths, prefix }: NonNullable<Mapping['pairs']>,
  called: ReadonlyMap<string, string>,
): void {
  for (const pair of elementsAt(element, list)) {
    const [key] = valuesAt(pair, name) ?? [];
    if (typeof key !== 'string' && typeof key !== 'number') continue;
    const found = paths.map((path) => elementsAt(pair, path)).find((values) => values.some((one) => one !== null));
    if (found === undefined) continue;
    setOwn(labels, `${prefix}${called.get(String(key)) ?? key}`, flatValue(found));
  }
}

function dropEmpty(labels: Record<string, JsonValue>): void {
  for (const [label, value] of Object.entries(labels)) {
    if (value === null || value === '') delete labels[label];
  }
}

function rewrite(labels: Record<string, JsonValue>, { values, split }: Mapping): void {
  for (const [label, separator] of Object.entries(split)) {
    const value = Object.hasOwn(labels, label) ? labels[label] : undefined;
    if (typeof value !== 'string') continue;
    const parts = value.split(separator).map((part) => part.trim());
    setOwn(
      labels,
      label,
      parts.filter((part) => part !== ''),
    );
  }
  for (const [label, table] of Object.entries(values)) {
    const value = Object.hasOwn(labels, label) ? labels[label] : undefined;
    if (value === undefined) continue;
    const translated = (one: JsonValue): JsonValue => {
      const key = String(one);
      return Object.hasOwn(table, key) ? (table[key] as JsonValue) : one;
    };
    setOwn(labels, label, isList(value) ? value.map(translated) : translated(value));
  }
}

function sectionsOf(element: JsonObject, sections: Mapping['sections'], item: SourceRecord): SourceRecord['inventory'] {
  const made: Record<string, JsonObject> = { ...item.inventory };
  for (const [key, path] of Object.entries(sections)) {
    const values = valuesAt(element, path);
    if (values === undefined) continue;
    const [only] = values;
    const isOne = values.length === 1 && !stepsIntoLists(path);
    if (isOne && isJsonObject(only)) setOwn(made, key, only);
    else {
      const list = isOne && only !== undefined && isList(only) ? only : values;
      setOwn(made, key, Object.fromEntries(list.map((value, index) => [String(index), value])));
    }
  }
  return Object.keys(made).length === 0 ? undefined : made;
}

interface TakenMembers {
  readonly isEmpty: boolean;
  without(labels: Readonly<Record<string, JsonValue>>): Record<string, JsonValue>;
}

/** Members that the mapping uses are not also kept under their own names. */
function takenMembers({ labels, sections, without, pairs }: Mapping): TakenMembers {
  const paths = [...Object.values(labels), ...Object.values(sections), ...(pairs === undefined ? [] : [pairs.list])];
  const taken = [...new Set([...paths.map((path) => path.replace(/\[[^\][]*\].*$/, '')), ...without])];
  const whole = new Set(taken);
  const inner = taken.map((path) => `${path}.`);
  const isTaken = (label: string): boolean => whole.has(label) || inner.some((path) => label.startsWith(path));
  return {
    isEmpty: taken.length === 0,
    without: (found) => Object.fromEntries(Object.entries(found).filter(([label]) => !isTaken(label))),
  };
}
