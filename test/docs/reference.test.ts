import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PAGES, ROOT, readPage } from './support/markdown.ts';
import { REFERENCES } from './support/reference.ts';

/**
 * Tables that the program itself knows stand in the pages between two comments. They are written by
 *
 *   UPDATE_DOCS=1 npx vitest run test/docs/reference.test.ts
 *
 * and without the variable the test says where a page is out of date. Listings of files are brought up to date too.
 */
const REGION = /<!-- reference: ([^>]+?) -->\n([\s\S]*?)<!-- end of \1 -->/g;
const UPDATE = process.env.UPDATE_DOCS === '1';

const regions = PAGES.flatMap((page) =>
  [...readPage(page).matchAll(REGION)].map(([, name]) => ({ page, name: name as string })),
);

if (UPDATE) {
  for (const page of PAGES) {
    const text = readPage(page).replace(
      /^```(\w+) file (\S+)\n[\s\S]*?^```$/gm,
      (_all, language: string, path: string) =>
        `\`\`\`${language} file ${path}\n${readFileSync(join(ROOT, path), 'utf8')}\`\`\``,
    );
    writeFileSync(join(ROOT, page), text);
  }
}

test('every reference stands in a page', () => {
  expect(regions.map(({ name }) => name).sort()).toEqual(Object.keys(REFERENCES).sort());
});

test.each(regions)('$name in $page is what the program says', async ({ page, name }) => {
  const make = REFERENCES[name];
  if (make === undefined) throw new Error(`${page}: nothing makes the reference "${name}"`);
  const current = `\n${(await make()).trim()}\n\n`;
  const text = readPage(page);
  if (UPDATE) {
    const fresh = text.replace(REGION, (all, found: string) =>
      found === name ? `<!-- reference: ${name} -->\n${current}<!-- end of ${name} -->` : all,
    );
    writeFileSync(join(ROOT, page), fresh);
    return;
  }
  const written = [...text.matchAll(REGION)].find(([, found]) => found === name)?.[2];
  expect(written).toBe(current);
});

test.each(['rest options', 'rest_target options', 'http account options'])(
  '%s have the defaults that are declared',
  async (name) => {
    const table = await REFERENCES[name]?.();
    expect(table).toMatch(/^\| `(request_timeout|join_requests)` \| `\d+` \|/m);
  },
);
