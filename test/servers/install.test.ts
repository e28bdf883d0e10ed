import { afterEach, expect, it, vi } from 'vitest';
import { whyNot } from './install.ts';
import type { Recipe } from './recipe.ts';
import { RECIPES } from './recipes.ts';

const recipe: Recipe = {
  name: 'made-up',
  about: 'none',
  packages: ['made-up-server'],
  programs: ['node'],
  start: () => Promise.reject(new Error('is not started here')),
};

afterEach(() => vi.restoreAllMocks());

it.runIf(process.platform === 'linux')('says why a server cannot be had, and what to do', async () => {
  vi.spyOn(process, 'getuid').mockReturnValue(1000);
  expect(await whyNot(recipe)).toBeUndefined();
  expect(await whyNot({ ...recipe, refusal: () => Promise.resolve('it rains') })).toBe('it rains');
  expect(await whyNot({ ...recipe, rootBecause: 'its ports are fixed' })).toBe('it needs root: its ports are fixed');
  expect(await whyNot({ ...recipe, programs: ['node', 'made-up-server'] })).toMatch(
    /^made-up-server is not installed; (run as root: apt-get install --no-install-recommends|install what Debian has as) made-up-server$/,
  );
});

it('are listed by name, each once', () => {
  const names = RECIPES.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)].sort());
});
