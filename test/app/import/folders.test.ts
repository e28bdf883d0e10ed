import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonOptions } from '../../../src/plugins/json/options.ts';
import { readJson } from '../../../src/plugins/json/read.ts';
import type { Source } from '../../../src/ports/index.ts';
import { temporaryFolder } from '../../kit/shared/temporary-file.ts';
import { sourceFiles } from '../../support/files.ts';
import { world } from './support.ts';

const OPTIONS = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };

async function facts(names: readonly string[]): Promise<string> {
  const folder = await temporaryFolder();
  for (const name of names) await writeFile(join(folder, name), JSON.stringify({ name, os: 'debian' }));
  return folder;
}

function sourceOf(path: string, options: object): Source {
  const parsed = jsonOptions().parse({ path, records: 'document', ...options });
  return { read: (context) => readJson(parsed, sourceFiles, context) };
}

describe('a folder with a document for each host', () => {
  it.each([
    ['file:name', 'done', ['web1', 'web3'], 'skipped'],
    ['name', 'partial', ['web1', 'web2', 'web3'], 'gap'],
    ['name,file:name', 'partial', ['web1', 'web2', 'web3'], 'gap'],
  ])('named by %s: a broken file and one that is gone make the run %s, and leave %j', async (field, status, left) => {
    const { run, active, storage } = await world();
    const path = await facts(['web1', 'web2', 'web3']);
    const source = sourceOf(path, { hostname_field: field });
    expect(await run(source, { options: OPTIONS })).toMatchObject({ status: 'done', summary: { created: 3 } });
    await writeFile(join(path, 'web1'), '{"name":"we');
    await rm(join(path, 'web2'));
    const report = await run(source, { options: OPTIONS });
    expect(report.status).toBe(status);
    expect(await active()).toEqual(left);
    expect(JSON.stringify(await storage.logs.latest({ limit: 1 }))).toContain('is truncated');
  });

  it('that is empty, or holds broken files alone, fails and archives nothing, also where no record is allowed', async () => {
    const { run, active } = await world();
    const path = await facts(['web1', 'web2']);
    const source = sourceOf(path, { hostname_field: 'file:name' });
    await run(source, { options: OPTIONS });
    for (const name of ['web1', 'web2']) await writeFile(join(path, name), '');
    expect(await run(source, { options: { ...OPTIONS, allow_empty: true } })).toMatchObject({ status: 'failed' });
    for (const name of ['web1', 'web2']) await rm(join(path, name));
    expect(await run(source, { options: { ...OPTIONS, allow_empty: true } })).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/has no files to read/),
    });
    expect(await active()).toEqual(['web1', 'web2']);
  });
});

it('a file that is one page of an answer archives nothing', async () => {
  const { run, active } = await world();
  const folder = await temporaryFolder();
  const path = join(folder, 'hosts.json');
  const source = sourceOf(path, { records: 'list' });
  await writeFile(path, JSON.stringify({ next: null, results: [{ host: 'web1' }, { host: 'web2' }] }));
  await run(source, { options: OPTIONS });
  await writeFile(path, JSON.stringify({ next: 'https://x/?page=2', results: [{ host: 'web1' }] }));
  expect(await run(source, { options: OPTIONS })).toMatchObject({
    status: 'partial',
    message: expect.stringMatching(/the rest of the list could not be read \(next says that there is more/),
  });
  expect(await active()).toEqual(['web1', 'web2']);
});
