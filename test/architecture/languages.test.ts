import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalogues, markedMessages, readCatalogue } from '../../scripts/messages/catalogue.mjs';
import { compiled } from '../../scripts/messages/transform.mjs';

/** Texts of pages stand in one catalogue a language: src/adapters/admin/pages/language/*.po. After a new text: npm run messages. */
describe.each(catalogues())('the catalogue of $language', ({ path }) => {
  const catalogue = readCatalogue(readFileSync(path, 'utf8'));

  it('has every text that pages mark, and no other; else: npm run messages', async () => {
    expect([...catalogue.keys()].sort()).toEqual([...(await markedMessages()).keys()].sort());
  });

  it('translates all of them', () => {
    expect([...catalogue].filter(([, translation]) => translation === '').map(([key]) => key)).toEqual([]);
  });

  it('puts the same values and the same elements into a translation', () => {
    const different = [...catalogue]
      .filter(([key, translation]) => translation !== '' && wantedBy(key).join() !== wantedBy(translation).join())
      .map(([key, translation]) => ({ key, translation }));
    expect(different).toEqual([]);
  });
});

/** Names of the values and numbers of the elements of a text, each once. */
function wantedBy(message: string): string[] {
  const found = new Set<string>();
  const collect = (parts: readonly unknown[]): void => {
    for (const part of parts) {
      if (typeof part === 'string') for (const [tag] of part.matchAll(/<\/?\d+\/?>/g)) found.add(tag);
      if (!Array.isArray(part)) continue;
      const [name, , forms] = part;
      found.add(`{${name}}`);
      if (typeof forms === 'object') for (const form of Object.values(forms)) if (Array.isArray(form)) collect(form);
    }
  };
  collect(compiled(message.split('\u0004').at(-1) ?? ''));
  return [...found].sort();
}
