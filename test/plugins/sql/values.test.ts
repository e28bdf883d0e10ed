import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PieceSize } from '../../../src/plugins/sql/engine.ts';
import { mysqlParsers } from '../../../src/plugins/sql/engines/mysql-types.ts';
import { PostgresqlTypes } from '../../../src/plugins/sql/engines/postgresql-types.ts';
import { decimal, isoTime, jsonValue, wholeNumber } from '../../../src/plugins/sql/values.ts';

describe('values of databases', () => {
  it.each([
    ['2024-01-31 12:30:00', '2024-01-31T12:30:00'],
    ['2024-01-31 12:30:00.500000', '2024-01-31T12:30:00.5'],
    ['2024-01-31 12:30:00.000000', '2024-01-31T12:30:00'],
    ['2024-01-31 12:30:00.123456+00', '2024-01-31T12:30:00.123456Z'],
    ['2024-01-31 12:30:00+05:30', '2024-01-31T12:30:00+05:30'],
    ['2024-01-31 12:30:00-03', '2024-01-31T12:30:00-03:00'],
    ['10024-01-31 12:30:00', '10024-01-31T12:30:00'],
    ['2024-01-31', '2024-01-31'],
    ['0044-03-15 12:00:00 BC', '0044-03-15 12:00:00 BC'],
    ['infinity', 'infinity'],
  ])('are times: %s is %s', (text, expected) => {
    expect(isoTime(text)).toBe(expected);
  });

  it.each([
    ['1.50', 1.5],
    ['-0.001', -0.001],
    ['100.00', 100],
    ['12', 12],
    ['9007199254740993', '9007199254740993'],
    ['1234567890.1234567890', '1234567890.1234567890'],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
  ])('are decimals: %s is %j', (text, expected) => {
    expect(decimal(text)).toBe(expected);
  });

  it('lose no digit: what became a number prints the same value', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.nat(20), (digits, scale) => {
        const text = digits.toString();
        const whole = wholeNumber(text);
        expect(BigInt(whole)).toBe(digits);
        const padded = text.replace('-', '').padStart(scale + 1, '0');
        const shown = `${text.startsWith('-') ? '-' : ''}${padded.slice(0, padded.length - scale)}${scale === 0 ? '' : `.${padded.slice(-scale)}`}`;
        const value = decimal(shown);
        if (typeof value === 'string') {
          expect(value).toBe(shown);
          return;
        }
        // Scaled by digits: the shortest text of the double has the same ones.
        const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
        const [head = '', tail = ''] = mantissa.split('.');
        const power = Number(exponent) - tail.length + scale;
        const back =
          power >= 0 ? BigInt(head + tail) * 10n ** BigInt(power) : BigInt(head + tail) / 10n ** BigInt(-power);
        expect(back).toBe(digits);
      }),
    );
  });

  it('are JSON with every digit', () => {
    expect(jsonValue('{"a": {"b": [1, "x"]}, "big": 12345678901234567890}')).toEqual({
      a: { b: [1, 'x'] },
      big: '12345678901234567890',
    });
    expect(jsonValue('12345678901234567890')).toBe('12345678901234567890');
    expect(jsonValue('no json')).toBe('no json');
  });

  it('of PostgreSQL are read by their types, lists by those of their elements', () => {
    const arrays = [
      { list: '1007', element: '23' },
      { list: '1009', element: '25' },
      { list: '1001', element: '17' },
      { list: '99999', element: '88888' },
    ];
    const { getTypeParser } = new PostgresqlTypes(arrays).parsers(false) as unknown as {
      getTypeParser(type: number): (text: string) => unknown;
    };
    const read = (type: number, text: string): unknown => getTypeParser(type)(text);
    expect(read(16, 't')).toBe(true);
    expect(read(1007, '{1,2,NULL}')).toEqual([1, 2, null]);
    expect(read(1009, '{"a,b","say \\"x\\"",NULL,"NULL"}')).toEqual(['a,b', 'say "x"', null, 'NULL']);
    expect(read(1007, '{{1,2},{3,4}}')).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(read(99999, '{red,green}')).toEqual(['red', 'green']);
    expect(read(17, '\\x00ff')).toBeUndefined();
    expect(read(1001, '{"\\\\x00ff"}')).toBeUndefined();
    expect(new PostgresqlTypes([]).parsers(true).getTypeParser(17)('\\x00ff')).toBe('AP8=');
  });

  it('of MySQL are read by their columns', () => {
    const read = (columnType: number, text: string, more: object = {}): unknown => {
      const [parse] = mysqlParsers([{ columnType, characterSet: 45, ...more }], false);
      return parse?.(Buffer.from(text));
    };
    expect(read(8, '18446744073709551615')).toBe('18446744073709551615');
    expect(read(246, '1.50')).toBe(1.5);
    expect(read(7, '2024-01-31 12:30:00')).toBe('2024-01-31T12:30:00Z');
    expect(read(12, '2024-01-31 12:30:00')).toBe('2024-01-31T12:30:00');
    expect(read(12, '0000-00-00 00:00:00')).toBeNull();
    expect(read(16, '\x01')).toBe(1);
    expect(read(253, 'ä')).toBe('ä');
    expect(read(252, 'ä', { characterSet: 63 })).toBeUndefined();
    expect(read(245, '{"a":1}', { characterSet: 63 })).toEqual({ a: 1 });
    expect(read(252, '{"a":1}', { extendedFormat: 'json' })).toEqual({ a: 1 });
  });

  it('are taken in pieces that stay small whatever rows hold', () => {
    const size = new PieceSize();
    const asked: number[] = [];
    for (const bytesOfARow of [100, 100, 100, 100, 100, 10_000_000, 10_000_000, 100]) {
      asked.push(size.rows);
      size.learn(size.rows, size.rows * bytesOfARow);
    }
    expect(asked).toEqual([4, 16, 64, 256, 1000, 1000, 1, 1]);
    expect(size.rows).toBe(4);
  });
});
