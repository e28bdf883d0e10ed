import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../architecture/source-files.ts';
import { gapsOf } from './support/conformance.ts';

const text = readFileSync(join(ROOT, 'e2e/stories/README.md'), 'utf8');
const jobs = [...text.matchAll(/^\| ([ON]\d+) \| (.+?) \| (.+?) \| \d* \| (\w+).* \|$/gm)].map(
  ([, id = '', says = '', tests = '', state = '']) => ({ id, says, tests: byFile(tests), state }),
);

function byFile(tests: string): Record<string, string[]> {
  return Object.fromEntries(
    tests.split('<br>').map((part) => {
      const [, file = '', titles = ''] = /^`(.+?)`: (.+)$/.exec(part) ?? [];
      return [file, titles.split(' · ')];
    }),
  );
}

it('every job that people do on the pages is walked by tests that there are', () => {
  expect(gapsOf([{ about: 'jobs', requirements: jobs }])).toEqual([]);
});

it('the list has all jobs, and says how many go well', () => {
  const numbered = (letter: string, count: number) => Array.from({ length: count }, (_, at) => `${letter}${at + 1}`);
  expect(jobs.map(({ id }) => id)).toEqual([...numbered('O', 63), ...numbered('N', 25)]);
  const of = (state: string) => jobs.filter((job) => job.state === state).length;
  expect(of('well') + of('effort') + of('not')).toBe(jobs.length);
  expect(text).toContain(
    `Of ${jobs.length} jobs ${of('well')} go well, ${of('effort')} take effort, and ${of('not')} cannot be done.`,
  );
});
