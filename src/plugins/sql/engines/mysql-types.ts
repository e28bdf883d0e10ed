import type { JsonValue } from '../../../ports/index.ts';
import { decimal, finite, isoTime, jsonValue, wholeNumber } from '../values.ts';

/** The server's description of a column. */
export interface MysqlField {
  readonly columnType: number;
  readonly characterSet: number;
  /** MariaDB has JSON as text, and says here that it is. */
  readonly extendedFormat?: string;
}

/** Converts a cell; returns `undefined` if it is left out. All cells arrive as text, except bytes. */
type Parser = (cell: Buffer) => JsonValue | undefined;

const BYTES_SET = 63;
const JSON_TYPE = 245;
const BIT = 16;
const GEOMETRY = 255;

const ascii = (read: (text: string) => JsonValue): Parser => {
  return (cell) => read(cell.toString('latin1'));
};
const whole = ascii(Number);

/** By the numbers of the protocol. What is missing is text, or bytes. */
const PARSERS: Readonly<Record<number, Parser>> = {
  0: ascii(decimal),
  1: whole,
  2: whole,
  3: whole,
  4: ascii(finite),
  5: ascii(finite),
  7: ascii((text) => time(text, 'Z')),
  8: ascii(wholeNumber),
  9: whole,
  10: ascii((text) => time(text)),
  11: ascii(String),
  12: ascii((text) => time(text)),
  13: whole,
  16: bits,
  246: ascii(decimal),
};

/** A parser a column. */
export function mysqlParsers(fields: readonly MysqlField[], base64: boolean): readonly Parser[] {
  const bytes: Parser = base64 ? (cell) => cell.toString('base64') : () => undefined;
  return fields.map(({ columnType, characterSet, extendedFormat }) => {
    if (columnType === JSON_TYPE || extendedFormat === 'json') return (cell) => jsonValue(cell.toString('utf8'));
    const known = PARSERS[columnType];
    if (known !== undefined) return known;
    const isBytes = columnType === GEOMETRY || (columnType > BIT && characterSet === BYTES_SET);
    return isBytes ? bytes : (cell) => cell.toString('utf8');
  });
}

/** Points in time are asked for in UTC. A date of zeros is how MySQL writes that there is none. */
function time(text: string, zone: '' | 'Z' = ''): JsonValue {
  return text.startsWith('0000-00-00') ? null : isoTime(text, zone);
}

function bits(cell: Buffer): JsonValue {
  return wholeNumber(String(cell.length === 0 ? 0n : BigInt(`0x${cell.toString('hex')}`)));
}
