import { Writable } from 'node:stream';
import { createColors } from 'picocolors';
import { describe, expect, it } from 'vitest';
import { wantsColour } from '../../../src/adapters/cli/output/colours.ts';
import { renderTable, tableWriter } from '../../../src/adapters/cli/output/table.ts';
import { OutputClosed, textOutput } from '../../../src/adapters/cli/output/write.ts';
import type { TerminalOutput } from '../../../src/adapters/cli/terminal.ts';
import type { Column } from '../../../src/app/kernel/print.ts';
import { counted, durationText } from '../../../src/kit/words/amounts.ts';
import { printable, printableLines, shellWord } from '../../../src/kit/words/escape.ts';
import { fieldLines, indentedTree } from '../../../src/kit/words/fields.ts';
import { displayWidth, truncated } from '../../../src/kit/words/width.ts';

const plain = createColors(false);

describe('printable', () => {
  it.each([
    ['\u001b[31mred\u001b[0m', '\\x1b[31mred\\x1b[0m'],
    ['\u001b]0;title\u0007', '\\x1b]0;title\\x07'],
    ['\u009b2J', '\\x9b2J'],
    ['a\nb\tc\rd', 'a\\nb\\tc\\rd'],
    ['user\u202egnp.exe', 'user\\u202egnp.exe'],
    ['zero\u200bwidth', 'zero\\u200bwidth'],
    ['\ud800', '\\ud800'],
    ['\u{e0041}', '\\u{e0041}'],
  ])('shows %j as an escape', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('leaves ordinary text of any script alone', () => {
    const text = 'grün 東京 🚀 Ελλάδα {{ x }} \\n';
    expect(printable(text)).toBe(text);
  });

  it('keeps the lines of text of several lines', () => {
    expect(printableLines('a\r\nb\u0007\n')).toBe('a\nb\\x07\n');
  });
});

describe('a word of a command', () => {
  it.each([
    ['web01.example.org', 'web01.example.org'],
    ['two words', "'two words'"],
    ["O'Neill", "'O'\\''Neill'"],
    ['$(reboot)', "'$(reboot)'"],
    ['a\nb', "'a\\nb'"],
    ['', "''"],
  ])('%j can be pasted into a shell', (text, word) => {
    expect(shellWord(text)).toBe(word);
  });
});

describe('displayWidth', () => {
  it.each([
    ['abc', 3],
    ['東京', 4],
    ['🚀', 2],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['é', 1],
  ])('of %s is %i', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it('cuts between characters, never inside of one', () => {
    expect(truncated('東京都', 5)).toBe('東京…');
    expect(truncated('東京都', 4)).toBe('東…');
    expect(truncated('abc', 3)).toBe('abc');
    expect(truncated('abcd', 3)).toBe('ab…');
  });
});

interface Row {
  readonly name: string;
  readonly count: number;
  readonly text: string;
}

const columns: readonly Column<Row>[] = [
  { header: 'name', value: (row) => row.name },
  { header: 'count', align: 'right', value: (row) => String(row.count) },
  { header: 'text', shrink: true, value: (row) => row.text },
];

describe('tables', () => {
  const rows: readonly Row[] = [
    { name: 'web01', count: 7, text: 'short' },
    { name: 'a', count: 12345, text: 'a text that is a good deal longer than a terminal is wide' },
  ];

  it('align columns by blanks and end lines without blanks', () => {
    expect(renderTable(rows, columns, { colours: plain })).toBe(
      'NAME   COUNT  TEXT\nweb01      7  short\na      12345  a text that is a good deal longer than a terminal is wide\n',
    );
  });

  it('fit a narrow terminal by cutting what may be cut', () => {
    const lines = renderTable(rows, columns, { colours: plain, width: 40 }).trimEnd().split('\n');
    expect(lines.every((line) => displayWidth(line) <= 40)).toBe(true);
    expect(lines[2]).toBe('a      12345  a text that is a good dea…');
  });

  it('cannot be broken by data', () => {
    const text = renderTable([{ name: 'x\ny\u001b[2J', count: 1, text: '\u009b' }], columns, { colours: plain });
    expect(text).toBe('NAME         COUNT  TEXT\nx\\ny\\x1b[2J      1  \\x9b\n');
  });

  it('keep their columns while rows come bit by bit', () => {
    const write = tableWriter(columns, { colours: plain });
    expect(write([])).toBe('');
    expect(write(rows.slice(0, 1))).toBe('NAME   COUNT  TEXT\nweb01      7  short\n');
    expect(write([{ name: 'b', count: 1, text: 't' }])).toBe('b          1  t\n');
  });

  it('are empty without rows', () => {
    expect(renderTable([], columns, { colours: plain })).toBe('');
  });

  it('show fields under each other', () => {
    expect(
      fieldLines(
        [
          ['name', 'web01'],
          ['operating system', 'a\nb'],
        ],
        plain,
      ),
    ).toBe('name              web01\noperating system  a\\nb\n');
  });
});

describe('indentedTree', () => {
  it('shows nested values one a line', () => {
    expect(indentedTree({ a: 1, b: { c: ['x', { d: null }] }, e: [], f: {} }, plain)).toBe(
      'a: 1\nb:\n  c:\n    - x\n    -\n      d: null\ne: []\nf: {}\n',
    );
  });
});

describe('amounts', () => {
  it('are written as people write them', () => {
    expect(counted(1, 'host')).toBe('1 host');
    expect(counted(1234, 'host')).toBe('1,234 hosts');
    expect([12, 1234, 61_000].map(durationText)).toEqual(['12 ms', '1.2 s', '1 min 1 s']);
  });
});

describe('colours', () => {
  function terminal(hasColors: boolean): TerminalOutput {
    return Object.assign(new Writable(), { isTTY: true, hasColors: () => hasColors });
  }

  it('are for terminals only, and only when nobody minds', () => {
    expect(wantsColour(terminal(true))).toBe(true);
    expect(wantsColour(terminal(false))).toBe(false);
    expect(wantsColour(new Writable())).toBe(false);
  });
});

describe('textOutput', () => {
  it('waits while the reader is slow', async () => {
    let taken = 0;
    const slow = new Writable({
      highWaterMark: 10,
      write(chunk: Buffer, _encoding, done) {
        setTimeout(() => {
          taken += chunk.length;
          done();
        }, 5);
      },
    });
    const output = textOutput(slow);
    for (let i = 0; i < 10; i++) {
      await output.write('0123456789');
      expect(slow.writableLength).toBeLessThanOrEqual(10);
    }
    await output.end();
    expect(taken).toBe(100);
  });

  it('says when nobody reads any more', async () => {
    const gone = new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      },
    });
    const output = textOutput(gone);
    await expect(
      (async () => {
        for (;;) {
          await output.write('text');
          await new Promise(setImmediate);
        }
      })(),
    ).rejects.toBeInstanceOf(OutputClosed);
  });

  it('passes other failures on', async () => {
    const full = new Writable({
      write(_chunk, _encoding, done) {
        done(new Error('no space left'));
      },
    });
    const output = textOutput(full);
    await expect(output.write('text').then(() => output.end())).rejects.toThrow('no space left');
  });
});
