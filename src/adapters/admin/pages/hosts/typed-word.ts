/** The part of a query that is being typed. */
export interface TypedWord {
  /** Start of the word in the text. */
  readonly from: number;
  readonly to: number;
  /** True after a leading minus. */
  readonly isNegated: boolean;
  /** Text before the sign; all of it while there is none. */
  readonly field: string;
  /** `:`, `=`, `>=` and so on; empty while there is none. */
  readonly sign: string;
  /** Text after the sign, without a leading quotation mark. */
  readonly value: string;
}

/** A search for names or addresses that were pasted, one on each line; `undefined` for a text of one line. */
export function pastedList(text: string): string | undefined {
  const values = new Set(
    text
      .split(/[\n\r]/)
      .flatMap((line) => line.split(/[,;\t]/))
      .map((value) => value.trim())
      .filter((value) => value !== ''),
  );
  if (!/[\n\r]/.test(text.trim()) || values.size < 2) return undefined;
  const listed = [...values].map((value) => (PLAIN.test(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`));
  return `name:(${listed.join(' ')})`;
}

const PLAIN = /^(?!(?:AND|OR|NOT)$)[^\s()",*]+$/;

export interface Offer {
  /** Text that replaces the word. */
  readonly text: string;
  readonly note: string;
}

/** The word that ends at the cursor; `undefined` between two, and within brackets of values or a pattern. */
export function wordAt(text: string, cursor: number): TypedWord | undefined {
  const before = text.slice(0, cursor);
  if (/[:=]\([^)]*$/.test(before)) return undefined;
  const found = /(?:^|[\s(])(-?)((?:"[^"]*"|[^\s()":=<>!~])*)(!=|[<>]=?|[:=])?("?)([^\s()"]*)$/.exec(before);
  if (found === null) return undefined;
  const [, minus = '', field = '', sign = '', , value = ''] = found;
  if (sign === '' && value !== '') return undefined;
  if (field === '' && (sign !== '' || minus !== '')) return undefined;
  const quote = found[4] ?? '';
  const length = minus.length + field.length + sign.length + quote.length + value.length;
  return { from: cursor - length, to: cursor, isNegated: minus !== '', field, sign, value };
}

interface NamedField {
  readonly field: string;
  readonly note: string;
}

/** Returns fields whose names contain the input, those that begin with it first. */
export function fieldOffers({ field, isNegated }: TypedWord, fields: readonly NamedField[]): readonly Offer[] {
  return ordered(fields, field, (one) => one.field).map(({ field: name, note }) => ({
    text: `${isNegated ? '-' : ''}${name}:`,
    note,
  }));
}

interface NamedValue {
  readonly value: string;
  /** The condition for the value, as part of a query: `site:fra`. */
  readonly condition: string;
  readonly note: string;
}

/** Returns values of the field that contain the input; none after signs of size. */
export function valueOffers(word: TypedWord, values: readonly NamedValue[]): readonly Offer[] {
  const { field, sign, value, isNegated } = word;
  if (![':', '=', '!='].includes(sign)) return [];
  return ordered(values, value, (one) => one.value)
    .filter(({ condition }) => condition.startsWith(`${field}:`) || condition.startsWith(`${field}=`))
    .map(({ condition, note }) => ({
      text: `${isNegated ? '-' : ''}${field}${sign}${condition.slice(field.length + 1)}`,
      note,
    }));
}

function ordered<One>(all: readonly One[], typed: string, nameOf: (one: One) => string): readonly One[] {
  const wanted = typed.toLowerCase();
  const at = (one: One): number => nameOf(one).toLowerCase().indexOf(wanted);
  return all.filter((one) => at(one) >= 0).sort((a, b) => Math.min(at(a), 1) - Math.min(at(b), 1));
}
