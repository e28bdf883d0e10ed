import type { JsonObject, JsonValue, LeftOutRecords } from '../../ports/index.ts';
import { shown, shownNames } from '../file-source/fault.ts';
import { isJsonObject } from '../json/json-object.ts';
import { worded } from '../worded.ts';
import { type FilterCondition, readFilter } from './filter-text.ts';
import { flatList } from './flat-labels.ts';
import { OptionFault } from './option-fault.ts';
import { fieldValues, isList } from './record-path.ts';

/** Decides about the texts that a record has at a field. */
type TextsTest = (texts: readonly string[]) => boolean;

/** The filter of an account for one run, which counts what it leaves out. */
export class RecordFilter {
  readonly #tests: readonly { readonly field: string; readonly test: TextsTest }[];
  #count = 0;

  private constructor(tests: readonly { readonly field: string; readonly test: TextsTest }[]) {
    this.#tests = tests;
  }

  /** Throws `OptionFault` for a filter that cannot be applied, before anything is read. */
  static async of(text = ''): Promise<RecordFilter> {
    const tests = readFilter(text).map(async (condition) => ({
      field: condition.field,
      test: await textsTest(condition),
    }));
    return new RecordFilter(await Promise.all(tests));
  }

  /** Whether a record belongs to the account. `position` is its place in the source, for error messages. */
  passes(record: JsonObject, position: string): boolean {
    const isIn = this.#tests.every(({ field, test }) => test(textsAt(record, field, position)));
    if (!isIn) this.#count++;
    return isIn;
  }

  /** Whether a record is left out whatever members it lacks. */
  surelyLeavesOut(record: JsonObject, position: string): boolean {
    return this.#tests.some(
      ({ field, test }) => fieldValues(record, field).length > 0 && !test(textsAt(record, field, position)),
    );
  }

  /** Returns how many records were left out, for the report at the end. */
  leftOut(): readonly LeftOutRecords[] {
    return this.#count === 0 ? [] : [{ kind: 'left_out', count: this.#count, reason: 'left out by record_filter' }];
  }
}

async function textsTest({ operator, value }: FilterCondition): Promise<TextsTest> {
  switch (operator) {
    case '=':
      return (texts) => has(texts, value);
    case '!=':
      return (texts) => !has(texts, value);
    default: {
      // Loaded for those who have patterns.
      const { textPattern } = await import('./text-pattern.ts');
      const matches = textPattern(value);
      return operator === '~' ? (texts) => texts.some(matches) : (texts) => !texts.some(matches);
    }
  }
}

/** A missing value equals the empty text. */
function has(texts: readonly string[], value: string): boolean {
  return texts.length === 0 ? value === '' : texts.includes(value);
}

/** The texts at a field: none for what is missing, null or empty, those of its elements for a list, which are as in labels. */
function textsAt(record: JsonObject, field: string, position: string): readonly string[] {
  return fieldValues(record, field).flatMap((value) =>
    isList(value) ? texts(flatList(value)) : texts(requireValue(value, field, position)),
  );
}

function texts(value: JsonValue): readonly string[] {
  const values = isList(value) ? value : [value];
  return values.flatMap((item) => (item === null || typeof item === 'object' ? [] : [String(item)]));
}

function requireValue(value: JsonValue, field: string, position: string): JsonValue {
  const names = isJsonObject(value) ? Object.keys(value) : [];
  if (names.length === 0) return value;
  const members = shownNames(names.map((name) => `${field}.${name}`));
  const problem = worded`record_filter compares ${{ field: shown(field) }}, which is an object in ${{ position }}; name one of its members`;
  throw new OptionFault(members === undefined ? problem : worded`${{ problem }}: ${{ members }}`);
}
