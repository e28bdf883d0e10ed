import { chmod, lstat, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileText } from '../../../src/plugins/json-file/map.ts';
import { type JsonFileOptions, jsonFileOptions } from '../../../src/plugins/json-file/options.ts';
import { jsonFileTarget } from '../../../src/plugins/json-file/target.ts';
import { type JsonObject, StoredJson, type TargetHost, type TargetResult } from '../../../src/ports/index.ts';
import { describeTargetContract } from '../../../src/testing/target.contract.ts';
import { usedGroups } from '../../../src/testing/used-groups.ts';
import { temporaryFolder } from '../../kit/shared/temporary-file.ts';
import { targetFiles } from '../../support/files.ts';

for (const format of ['jsonl', 'json'] as const) {
  describeTargetContract(`json_file, ${format}`, {
    async create() {
      const path = join(await temporaryFolder(), 'hosts.out');
      const content = () => readFile(path, 'utf8').catch(() => '');
      return {
        open: () => jsonFileTarget({ path, format }, targetFiles),
        hostnames: async () => hostsOf(await content(), format).map(({ hostname }) => hostname),
        snapshot: content,
      };
    },
    broken: async () =>
      jsonFileTarget({ path: join(await temporaryFolder(), 'absent', 'hosts.out'), format }, targetFiles),
  });
}

interface WrittenHost {
  readonly hostname: string;
  readonly variables: JsonObject;
  readonly expressions?: JsonObject;
  readonly groups: readonly string[];
}

function hostsOf(text: string, format: JsonFileOptions['format']): WrittenHost[] {
  if (format === 'json') return text === '' ? [] : JSON.parse(text);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

function host(hostname: string, variables: JsonObject = {}, more: Partial<TargetHost> = {}): TargetHost {
  return { hostname, variables: StoredJson.ofValue(variables), groups: [], outcomes: {}, ...more };
}

async function* batches(...all: (readonly TargetHost[] | Error)[]): AsyncGenerator<readonly TargetHost[]> {
  for (const batch of all) {
    if (batch instanceof Error) throw batch;
    yield batch;
  }
}

function write(
  options: Partial<JsonFileOptions> & { path: string },
  hosts: AsyncIterable<readonly TargetHost[]>,
): Promise<TargetResult> {
  const nothing = (): void => undefined;
  const run = {
    written: nothing,
    unchanged: nothing,
    undecided: () => 0,
    groups: usedGroups,
    failed: nothing,
    progress: nothing,
  };
  return jsonFileTarget(jsonFileOptions().parse(options), targetFiles).write(hosts, {
    ...run,
    dryRun: false,
    signal: new AbortController().signal,
  });
}

async function place(): Promise<{ folder: string; path: string }> {
  const folder = await temporaryFolder();
  return { folder, path: join(folder, 'hosts.jsonl') };
}

describe('json_file', () => {
  it('writes one host a line, or one list', async () => {
    const { path } = await place();
    const hosts = () =>
      batches([host('a', { os: 'debian' }, { groups: ['web'] })], [host('b', {}, { expressions: { n: '{{ x }}' } })]);
    await write({ path }, hosts());
    const lines = [
      '{"hostname":"a","variables":{"os":"debian"},"groups":["web"]}',
      '{"hostname":"b","variables":{},"expressions":{"n":"{{ x }}"},"groups":[]}',
    ];
    expect(await readFile(path, 'utf8')).toBe(`${lines.join('\n')}\n`);
    await write({ path, format: 'json' }, hosts());
    expect(await readFile(path, 'utf8')).toBe(`[\n${lines.join(',\n')}\n]\n`);
  });

  it('writes an empty file or list for no hosts, whatever batches there are', async () => {
    const { path } = await place();
    for (const hosts of [() => batches(), () => batches([], [])]) {
      await write({ path }, hosts());
      expect(await readFile(path, 'utf8')).toBe('');
      await write({ path, format: 'json' }, hosts());
      expect(await readFile(path, 'utf8')).toBe('[]\n');
    }
  });

  it('is readable for the group and nobody else, whatever the umask and the old file are', async () => {
    const { path } = await place();
    await writeFile(path, '', { mode: 0o666 });
    const umask = process.umask(0o077);
    try {
      await write({ path }, batches([host('a')]));
    } finally {
      process.umask(umask);
    }
    expect((await stat(path)).mode & 0o777).toBe(0o640);
  });

  it('leaves a file alone that has the same content', async () => {
    const { path, folder } = await place();
    expect(await write({ path }, batches([host('a')], [host('b')]))).toEqual({ others: 'written' });
    const before = await stat(path);
    expect(await write({ path }, batches([host('a'), host('b')]))).toEqual({ others: 'unchanged' });
    expect(await stat(path)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    expect(await write({ path }, batches([host('a'), host('c')]))).toEqual({ others: 'written' });
    expect((await stat(path)).ino).not.toBe(before.ino);
    expect(await readdir(folder)).toEqual(['hosts.jsonl']);
  });

  it('shows the old content until the new one is complete', async () => {
    const { path } = await place();
    await write({ path }, batches([host('old')]));
    const seen: string[] = [];
    async function* watched() {
      for (const name of ['a', 'b', 'c']) {
        yield [host(name, { filler: 'x'.repeat(100_000) })];
        seen.push(await readFile(path, 'utf8'));
      }
    }
    await write({ path }, watched());
    expect(seen.map((text) => text.slice(0, 18))).toEqual(Array(3).fill('{"hostname":"old",'));
    expect(hostsOf(await readFile(path, 'utf8'), 'jsonl')).toHaveLength(3);
  });

  it('leaves the old file and nothing else when the hosts break off', async () => {
    const { path, folder } = await place();
    await write({ path }, batches([host('old')]));
    const before = await readFile(path, 'utf8');
    await expect(write({ path }, batches([host('a')], new Error('the store is gone')))).rejects.toThrow(
      'the store is gone',
    );
    expect(await readFile(path, 'utf8')).toBe(before);
    expect(await readdir(folder)).toEqual(['hosts.jsonl']);
  });

  it('follows a symbolic link to the file', async () => {
    const { path, folder } = await place();
    const link = join(folder, 'link');
    await writeFile(path, 'old');
    await symlink(path, link);
    await write({ path: link }, batches([host('a')]));
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readFile(path, 'utf8')).toMatch(/"a"/);
  });

  it('names what cannot be written', async () => {
    const { path, folder } = await place();
    const fault = (at: string) =>
      write({ path: at }, batches([host('a')])).then(String, ({ code, message }) => `${code}: ${message}`);
    expect(await fault(join(folder, 'absent', 'x'))).toMatch(
      /^failed: .*absent\/x cannot be written: its folder does not exist/,
    );
    await writeFile(path, '');
    expect(await fault(join(path, 'x'))).toMatch(/not a folder/);
    expect(await fault(folder)).toMatch(/is a folder/);
    expect(await fault('/dev/null')).toMatch(/not a regular file/);
    expect(await fault(join(folder, 'x'.repeat(300)))).toMatch(/too long a path/);
    if (process.getuid?.() === 0) return;
    await chmod(folder, 0o500);
    expect(await fault(path)).toMatch(/permission denied/);
    await chmod(folder, 0o700);
  });

  it('says what a run would write to', async () => {
    const { path, folder } = await place();
    const check = (at: string) =>
      jsonFileTarget({ path: at, format: 'jsonl' }, targetFiles).check?.({ signal: new AbortController().signal });
    expect(await check(path)).toMatch(/hosts\.jsonl does not exist yet/);
    await writeFile(path, '12345');
    expect(await check(path)).toMatch(/has 5 bytes/);
    await mkdir(join(folder, 'sub'));
    await expect(check(join(folder, 'sub'))).rejects.toMatchObject({ code: 'failed' });
    await rename(path, `${path}.old`);
    await expect(check(join(path, 'x'))).rejects.toMatchObject({ code: 'failed' });
  });

  it('gives every host back as it was, in any format', async () => {
    const text = fc.string({ unit: 'grapheme' });
    const made = fc.record({
      hostname: text,
      variables: fc.dictionary(fc.oneof(text, fc.constant('__proto__')), fc.jsonValue(), { noNullPrototype: true }),
      groups: fc.array(text),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(made, { maxLength: 3 }), { maxLength: 4 }), async (all) => {
        const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
        for (const format of ['jsonl', 'json'] as const) {
          const hosts = all.map((batch) =>
            batch.map(({ hostname, variables, groups }) => host(hostname, variables as JsonObject, { groups })),
          );
          let written = '';
          for await (const piece of fileText(batches(...hosts), format)) written += piece;
          expect(hostsOf(written, format)).toEqual(plain(all.flat()));
        }
      }),
    );
  });
});

describe('options of json_file', () => {
  it('are checked', () => {
    expect(jsonFileOptions().parse({ path: 'x' })).toEqual({ path: 'x', format: 'jsonl' });
    expect(jsonFileOptions().safeParse({}).success).toBe(false);
    expect(jsonFileOptions().safeParse({ path: '' }).success).toBe(false);
    expect(jsonFileOptions().safeParse({ path: 'x', format: 'xml' }).error?.issues[0]?.message).toBe(
      'must be jsonl or json',
    );
    expect(jsonFileOptions().safeParse({ path: 'x', mode: '0640' }).success).toBe(false);
  });
});
