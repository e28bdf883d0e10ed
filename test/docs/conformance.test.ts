import { expect, it } from 'vitest';
import { gapsOf, readConformance, type Section } from './support/conformance.ts';

it('every requirement of the interface has tests that there are', () => {
  expect(gapsOf(readConformance())).toEqual([]);
});

it('a requirement without a test, a test that is gone or skipped, and an id that stands twice are gaps', () => {
  const text = `
    it('is there', () => {});
    it.each([['a'], ["b"]])('is there for %s', async (one) => {});
    test('is tagged', { tag: '@thorough' }, async () => {});
    it.skip('is skipped', () => {});
    const words = ['is no test', () => {}];
  `;
  const gaps = (titles: string[], file = 'a.test.ts') => {
    const requirements = [{ id: 'X1', says: 'it is so', tests: { [file]: titles } }];
    return gapsOf([{ about: 'x', requirements }], (name) => (name === 'a.test.ts' ? text : undefined));
  };
  expect(gaps(['is there', 'is there for %s', 'is tagged'])).toEqual([]);
  expect(gaps(['is skipped', 'is no test', 'is', 'there'])).toHaveLength(4);
  expect(gaps(['is there'], 'b.test.ts')).toEqual(['X1: there is no file b.test.ts']);
  const twice: Section = { about: 'x', requirements: Array(2).fill({ id: 'X1', says: 'it is so', tests: {} }) };
  expect(gapsOf([twice])).toEqual(['X1 has no test', 'X1 stands twice', 'X1 has no test']);
});
