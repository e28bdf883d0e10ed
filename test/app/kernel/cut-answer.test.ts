import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { cutAnswer } from '../../../src/app/kernel/cut-answer.ts';

const MOST = 10_000;
/** What `truncated` may add. */
const SLACK = 2_000;
const schema = z.object({
  name: z.string(),
  items: z.array(
    z.object({ name: z.string(), kind: z.enum(['a', 'b']), value: z.unknown(), note: z.string().optional() }),
  ),
  more: z.boolean(),
});
type Answer = z.infer<typeof schema> & { truncated?: { note: string; left_out: string[] } };

const item = (value: unknown, name = 'x') => ({ name, kind: 'a' as const, value });
const cut = (items: readonly Answer['items'][number][]): Answer =>
  cutAnswer<Answer>({ name: 'n', items: [...items], more: true }, MOST, { schema });

function nested(depth: number): unknown {
  return depth === 0 ? 'value' : Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, nested(depth - 1)]));
}

describe('cutAnswer', () => {
  it('gives what fits as it is', () => {
    const answer = { name: 'n', items: [item('y')], more: true };
    expect(cutAnswer(answer, MOST, { schema })).toBe(answer);
  });

  it.each([
    ['one long text', [item('y'.repeat(1e6))]],
    ['texts that become longer as JSON', [item('"\u0001'.repeat(1e5))]],
    ['many entries', Array.from({ length: 5_000 }, (_, n) => item(n))],
    ['large entries', Array.from({ length: 50 }, () => item(Array.from({ length: 1_000 }, (_, n) => n)))],
    ['a deep value', [item(nested(7))]],
    ['a value of many members', [item(Object.fromEntries(Array.from({ length: 1e5 }, (_, n) => [`k${n}`, n])))]],
    ['half a character at every end', [item('😀'.repeat(1e5)), item(`x${'😀'.repeat(1e5)}`)]],
  ])('keeps the shape and the limit: %s', (_, items) => {
    const answer = cut(items);
    expect(JSON.stringify(answer).length).toBeLessThan(MOST + SLACK);
    expect(JSON.stringify(answer).length).toBeGreaterThan(MOST / 3);
    expect(schema.safeParse(answer).error).toBeUndefined();
    expect(JSON.stringify(answer)).not.toMatch(/\\ud[89a-f]/);
    expect(answer.more).toBe(true);
    expect(answer.truncated?.left_out.length).toBeGreaterThan(0);
  });

  it('leaves small entries beside large ones whole', () => {
    const answer = cut([item('y'.repeat(1e5), 'large'), item('small', 'small'), item({ a: 1 }, 'last')]);
    expect(answer.items.slice(1)).toEqual([item('small', 'small'), item({ a: 1 }, 'last')]);
    expect(answer.items[0]?.value).toMatch(/^y{8000,}…$/);
    expect(answer.truncated?.left_out).toEqual(['items[0].value']);
  });

  it('says how many entries are missing', () => {
    const [said] = cut(Array.from({ length: 500 }, () => item('y'.repeat(100)))).truncated?.left_out ?? [];
    expect(said).toMatch(/^items: the last 4\d\d of 500$/);
  });
});
