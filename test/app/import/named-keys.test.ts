import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NamedKeys } from '../../../src/app/runs/import/stages/keys/keyed-writer.ts';

describe('named keys', () => {
  it('are those that were added, each at its host', () => {
    const pair = fc.tuple(fc.string({ maxLength: 3 }), fc.string({ maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(pair), fc.array(pair), (added, asked) => {
        const named = new NamedKeys();
        for (const [hostname, key] of added) named.add(hostname, key);
        const known = new Set(added.map((one) => JSON.stringify(one)));
        for (const one of [...added, ...asked]) expect(named.has(...one)).toBe(known.has(JSON.stringify(one)));
      }),
      { examples: [[[['', ')']], [['*', '']]]] },
    );
  });

  it('are told apart where they are many and much alike', () => {
    const named = new NamedKeys();
    const serial = (index: number) => `serial=SN${index.toString().padStart(7, '0')}`;
    for (let index = 0; index < 100_000; index++) named.add(`web${index}.example.org`, serial(index));
    let wrong = 0;
    for (let index = 0; index < 100_000; index++) {
      if (!named.has(`web${index}.example.org`, serial(index))) wrong++;
      if (named.has(`web${index}.example.org`, serial(index + 1))) wrong++;
    }
    expect(wrong).toBe(0);
  });
});
