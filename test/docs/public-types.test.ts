import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Declaration, Declarations } from './support/declarations.ts';
import { ROOT } from './support/markdown.ts';

/**
 * What plugins may rely on, as the compiler sees it. A change of it is seen in review, because it changes these pages:
 *
 *   UPDATE_API=1 npx vitest run test/docs/public-types.test.ts
 */
const UPDATE = process.env.UPDATE_API === '1';

let folder: string;
let printed: Declarations;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-types-'));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const project = join(ROOT, 'scripts/tsconfig.types.json');
  await promisify(execFile)(process.execPath, [
    compiler,
    ...['--project', project],
    ...['--outDir', folder],
    '--removeComments',
  ]);
  printed = new Declarations();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const fileOf = (entry: string): string => join(folder, entry === 'kit' ? 'kit/index.d.ts' : `${entry}.d.ts`);
const exportsOf = (entry: string): readonly Declaration[] => printed.exportsOf(fileOf(entry));

test.each(['plugin-api', 'kit', 'storage-api', 'testing'])(
  'the types of muster/%s are those of its page',
  async (entry) => {
    const packages = printed.packagesOf(fileOf(entry));
    const path = join(ROOT, `docs/api/${entry}.api.md`);
    const report = `# Types of \`muster/${entry}\`

The types as the compiler sees them, for reviews: a change here is a change for authors of plugins. Written by
\`UPDATE_API=1 npx vitest run test/docs/public-types.test.ts\`. [Plugins](../plugins.md) explains them.

\`\`\`ts
${[...packages, ...exportsOf(entry).map(({ text }) => text)].join('\n\n')}
\`\`\`
`;
    if (UPDATE) await writeFile(path, report);
    const accepted = await readFile(path, 'utf8').catch(() => '');
    expect(report, 'Public types changed. If they should: UPDATE_API=1, and a word in CHANGELOG.md.').toBe(accepted);
  },
);

test('whatever public types use has a public name too', () => {
  const exported = exportsOf('plugin-api');
  expect(exported.length).toBeGreaterThan(100);
  const names = new Set(exported.map(({ name }) => name));
  const used = printed.usedBy([...exported, ...exportsOf('testing')]).map(({ name }) => name);
  expect(used.filter((name) => !names.has(name))).toEqual([]);
});
