import pg from 'pg';
import type { JsonValue } from '../../../ports/index.ts';
import { decimal, finite, isoTime, jsonValue, wholeNumber } from '../values.ts';

/** Converts a value; returns `undefined` if it is left out. */
type Parser = (text: string) => JsonValue | undefined;

const BYTES = 17;

/** The actual form of the driver's list parser; its types are wrong. */
const ARRAYS = pg.types.arrayParser as unknown as {
  create(text: string, parse: Parser): { parse(): JsonValue };
};

/** By the numbers that types have in every PostgreSQL. What is missing stays the text that the server writes. */
const PARSERS: Readonly<Record<number, Parser>> = {
  16: (text) => text === 't',
  20: wholeNumber,
  21: Number,
  23: Number,
  26: Number,
  114: jsonValue,
  700: finite,
  701: finite,
  1082: String,
  1114: (text) => isoTime(text),
  1184: (text) => isoTime(text),
  1700: decimal,
  3802: jsonValue,
};

/** How values of each type are read, those of lists by the types of their elements. */
export class PostgresqlTypes {
  readonly #elements: ReadonlyMap<number, number>;

  constructor(arrays: readonly { readonly list: string; readonly element: string }[]) {
    this.#elements = new Map(arrays.map(({ list, element }) => [Number(list), Number(element)]));
  }

  parsers(base64: boolean): pg.CustomTypesConfig {
    const bytes: Parser = base64 ? base64Of : () => undefined;
    const parserOf = (type: number): Parser => (type === BYTES ? bytes : (PARSERS[type] ?? String));
    const getTypeParser = (type: number): Parser => {
      const element = this.#elements.get(type);
      if (element === undefined) return parserOf(type);
      if (element === BYTES && !base64) return bytes;
      const parse = parserOf(element);
      return (text) => ARRAYS.create(text, parse).parse();
    };
    return { getTypeParser } as pg.CustomTypesConfig;
  }
}

function base64Of(text: string): string | undefined {
  return text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex').toString('base64') : undefined;
}
