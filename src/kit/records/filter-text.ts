/** One condition of a filter. */
export interface FilterCondition {
  readonly field: string;
  readonly operator: '=' | '!=' | '~' | '!~';
  readonly value: string;
}

/** A filter that cannot be read, as the rest of a sentence that begins with its name. */
export class FilterTextFault extends Error {
  override readonly name = 'FilterTextFault';
}

const MAX_LENGTH = 4_000;

const FIELD = /\s*(?:"([^"]+)"|'([^']+)'|([^"'\s=!~,][^=!~,]*?))\s*(!=|!~|==?|~)/y;
const VALUE = /\s*(?:"([^"]*)"|'([^']*)'|((?!\s*["'])(?:(?!\s+and\s)[^,])*))\s*(,|\s+and\s|$)/iy;

/**
 * Parses `status=active, kind!=Pod and name~^web`. Conditions are separated by commas or `and`, and all of them must hold. Names
 * and values with such words and marks in them are put in single or double quotes.
 */
export function readFilter(text: string): readonly FilterCondition[] {
  if (text.length > MAX_LENGTH) throw new FilterTextFault(`is longer than ${MAX_LENGTH} characters`);
  const conditions: FilterCondition[] = [];
  if (text.trim() === '') return conditions;
  for (let at = 0; ; ) {
    const [field, inner] = part(FIELD, text, at) ?? fault(text, at, 'a field and =, !=, ~ or !~ are expected');
    const operator = field[4] === '==' ? '=' : (field[4] as FilterCondition['operator']);
    const [value, end] = part(VALUE, text, inner) ?? fault(text, inner, 'quotes must enclose the whole value');
    refuseOther(field, value, text, at);
    conditions.push({ field: textOf(field), operator, value: textOf(value) });
    if (value[4] === '') return conditions;
    at = end;
  }
}

/** Syntax of other filter languages outside of quotes: read as text, it would let in what it should keep out. */
const WORDS = /(?:^|\s)(?:or|and|not|xor|\|\||&&)(?=\s|$)|[\r\n]/i;
const OTHER = /\||&&|[;&]\s*[\w.]+\s*(?:!?=|!?~)|^\(/;
const OTHER_FIELD = /^(?:not|or|and)\s|^\(|[<>]$/i;

function refuseOther(field: RegExpExecArray, value: RegExpExecArray, text: string, at: number): void {
  const given = (value[3] ?? '').trim();
  // Brackets and lines belong to patterns.
  const isPattern = field[4]?.endsWith('~') === true;
  if (!isPattern && /^~|\*/.test(given)) {
    const comparison = field[4] === '!=' ? '!~' : '~';
    fault(
      text,
      at,
      `a pattern is written with ${comparison}, such as name${comparison}^web; put quotes around a value with such a sign`,
    );
  }
  const isForeign = OTHER_FIELD.test((field[3] ?? '').trim()) || WORDS.test(given) || (!isPattern && OTHER.test(given));
  if (!isForeign) return;
  fault(
    text,
    at,
    '"or", "not" and brackets are not supported, separate conditions by commas or "and"; for one of several values write a pattern, such as site~^(fra|par)$, and quotes around a value with such words',
  );
}

function part(pattern: RegExp, text: string, at: number): readonly [RegExpExecArray, number] | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found === null ? undefined : [found, pattern.lastIndex];
}

function textOf([, double, single, bare]: RegExpExecArray): string {
  return double ?? single ?? (bare ?? '').trim();
}

function fault(text: string, at: number, expected: string): never {
  const rest = text.slice(at).trim();
  const where =
    rest === '' ? 'at its end' : `at ${JSON.stringify(rest.length > 40 ? `${rest.slice(0, 37)}...` : rest)}`;
  throw new FilterTextFault(`cannot be read ${where}: ${expected}`);
}
