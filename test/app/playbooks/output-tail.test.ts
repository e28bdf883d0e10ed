import { describe, expect, it } from 'vitest';
import { OutputTail } from '../../../src/app/playbooks/output-tail.ts';

function tailOf(limit: number, ...pieces: readonly string[]): string {
  const tail = new OutputTail(limit);
  for (const piece of pieces) tail.add(piece);
  return tail.text();
}

describe('the end of an output', () => {
  it('is all of a short one', () => {
    expect(tailOf(10, '')).toBe('');
    expect(tailOf(10, 'abc', '', '\ndef\n')).toBe('abc\ndef\n');
    expect(tailOf(10, '1234567890')).toBe('1234567890');
  });

  it('begins at a whole line where there is one', () => {
    expect(tailOf(10, 'first line\n', 'a\nb\nc\n')).toBe('a\nb\nc\n');
    expect(tailOf(4, 'abcdefgh')).toBe('efgh');
  });

  it('counts bytes and cuts no character', () => {
    expect(tailOf(5, 'äöü')).toBe('öü');
    expect(tailOf(6, '\u{1f600}\u{1f600}')).toBe('\u{1f600}');
  });

  it('holds no more than it must, however it comes, and can be asked in between', () => {
    const tail = new OutputTail(1000);
    let whole = '';
    for (let n = 0; n < 5000; n++) {
      tail.add(`line ${n}\n`);
      whole += `line ${n}\n`;
      if (n % 777 === 0) expect(whole.endsWith(tail.text())).toBe(true);
    }
    expect(whole.endsWith(tail.text())).toBe(true);
    expect(tail.text().length).toBeGreaterThan(950);
    expect(tail.text().length).toBeLessThanOrEqual(1000);
    expect(tail.text()).toMatch(/^line \d+\n/);
  });
});
