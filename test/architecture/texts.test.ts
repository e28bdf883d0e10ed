import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LIST, texts } from '../../scripts/texts.mjs';
import { ROOT } from './source-files.ts';

it('the list of texts is the one of the sources; after a change of words: npm run texts', () => {
  expect(`${texts().join('\n')}\n`).toBe(readFileSync(join(ROOT, LIST), 'utf8'));
});
