import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MusterHarness, musterHarness } from './run-muster.ts';

let muster: MusterHarness;

beforeEach(async () => {
  muster = await musterHarness();
  await muster.run(['account', 'add', 'lab', '--type', 'api']);
});

afterEach(() => muster.close());

/** An editor that does this to the file. */
async function editor(script: string): Promise<Readonly<Record<string, string>>> {
  const path = join(muster.directory, 'editor');
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return { VISUAL: path };
}

const labels = async (hostname: string) => (await muster.storage.hosts.find(hostname))?.labels.value;
const names = async (...more: string[]) => (await muster.run(['host', 'list', '-o', 'name', ...more])).stdout;

describe('host create', () => {
  it('puts a host into the account that people write to, and leaves one that is there alone', async () => {
    const made = await muster.run(['host', 'create', 'web01', '--label', 'os=debian', '--label', 'cpus:=8']);
    expect(made).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Created web01 in account lab.') });
    expect(await labels('web01')).toEqual({ os: 'debian', cpus: 8 });
    const again = await muster.run(['host', 'create', 'web01', '--label', 'os=other']);
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('exists already') });
    expect(await labels('web01')).toEqual({ os: 'debian', cpus: 8 });
  });

  it('makes an account where there is none, and asks for one where there are several', async () => {
    await muster.run(['account', 'add', 'other', '--type', 'api']);
    expect(await muster.run(['host', 'create', 'web01'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('lab, other'),
    });
    for (const name of ['lab', 'other']) await muster.run(['account', 'delete', name]);
    expect(await muster.run(['host', 'create', 'web01'])).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('Made account manual'),
    });
  });
});

describe('host edit', () => {
  beforeEach(async () => {
    await muster.run(['host', 'create', 'web01', '--label', 'os=debian', '--label', 'note=old']);
  });

  it('sets and unsets labels, and shows what changes', async () => {
    const edited = ['host', 'edit', 'web01', '--set', 'cpus:=16', '--unset', 'note'];
    const preview = await muster.run([...edited, '--dry-run']);
    expect([preview.exitCode, await labels('web01')]).toEqual([0, { os: 'debian', note: 'old' }]);
    expect(preview.stderr).toContain('cpus');
    expect((await muster.run(edited)).exitCode).toBe(2);
    expect((await muster.run([...edited, '--yes'])).exitCode).toBe(0);
    expect(await labels('web01')).toEqual({ os: 'debian', cpus: 16 });
  });

  it('saves what the editor leaves, and keeps a text that is refused', async () => {
    const saved = await muster.run(['host', 'edit', 'web01', '--yes'], {
      variables: await editor('sed -i s/debian/rocky/ "$1"'),
    });
    expect(saved).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Saved web01.') });
    expect(await labels('web01')).toEqual({ os: 'rocky', note: 'old' });
    const refused = await muster.run(['host', 'edit', 'web01', '--yes'], {
      variables: await editor('echo "x: [" > "$1"'),
    });
    expect(refused.exitCode).toBe(1);
    const file = /kept in (\S+)/.exec(refused.stderr)?.[1] ?? '';
    expect(await readFile(file, 'utf8')).toContain('x: [');
    await rm(dirname(file), { recursive: true });
  });

  it('does not replace what somebody else changed while the editor was open', async () => {
    const { hosts } = muster.storage;
    const original = hosts.saveLabels.bind(hosts);
    let isFirst = true;
    hosts.saveLabels = async (write) => {
      if (isFirst) {
        isFirst = false;
        const { before: _, ...rest } = write;
        const [entry] = write.entries;
        const theirs = JSON.stringify({ os: 'theirs' });
        const { StoredJson } = await import('../../../src/ports/index.ts');
        await original({
          ...rest,
          entries: [{ hostname: entry?.hostname ?? '', labels: StoredJson.ofValue(JSON.parse(theirs)) }],
        });
      }
      return original(write);
    };
    const refused = await muster.run(['host', 'edit', 'web01', '--set', 'os=mine', '--yes']);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('changed the labels') });
    expect(await labels('web01')).toEqual({ os: 'theirs' });
  });

  it('says where labels are changed that come from a source', async () => {
    await writeFile(join(muster.directory, 'hosts.csv'), 'host,role\ndb01,db\n');
    await muster.run(['account', 'add', 'dc', '--type', 'csv', '--set', 'path=hosts.csv']);
    await muster.run(['import', 'dc']);
    const refused = await muster.run(['host', 'edit', 'db01', '--set', 'role=x', '--yes']);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('come from account dc') });
  });
});

describe('host purge', () => {
  beforeEach(async () => {
    for (const name of ['web01', 'web02', 'db01']) await muster.run(['host', 'create', name]);
    await muster.run(['host', 'archive', 'web01', 'web02']);
  });

  it('deletes archived hosts that a query finds, once that is said', async () => {
    const words = ['host', 'purge', '--where', 'name:*'];
    const dry = await muster.run([...words, '--dry-run']);
    expect([dry.exitCode, dry.stdout]).toEqual([0, 'web01\nweb02\n']);
    expect((await muster.run(words)).exitCode).toBe(2);
    expect(await names('--archived')).toBe('web01\nweb02\n');
    expect(await muster.json([...words, '--yes'])).toMatchObject({ status: 'purged', hosts: 2 });
    expect(await muster.storage.hosts.find('web01')).toBeUndefined();
    expect(await names()).toBe('db01\n');
  });

  it('names hosts whose texts are too long for a pattern, and leaves them', async () => {
    for (const [name, note] of [
      ['short', 'abcdz'],
      ['long', 'a'.repeat(400_000)],
    ] as const) {
      await muster.run(['host', 'create', name, '--label', `note=${note}`]);
      await muster.run(['host', 'archive', name]);
    }
    const pattern = `note~/${'(a|b|c|d)?'.repeat(20)}z/`;
    const purged = await muster.run(['host', 'purge', '--where', pattern, '--yes']);
    expect(purged.stderr).toContain('left out: 1 host with a text too long for the pattern (long)');
    expect(await names('--archived')).toBe('long\nweb01\nweb02\n');
  });

  it('leaves active hosts alone unless they are asked for', async () => {
    const refused = await muster.run(['host', 'purge', 'db01', 'web01', '--yes']);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('not in the archive: db01') });
    expect(await names()).toBe('db01\n');
    expect((await muster.run(['host', 'purge', 'db01', '--include-active', '--yes'])).exitCode).toBe(0);
    expect(await muster.storage.hosts.find('db01')).toBeUndefined();
  });
});

describe('cron run with a group', () => {
  it('runs that one now, whatever its schedule, and fails with a job that fails', async () => {
    await writeFile(join(muster.directory, 'hosts.csv'), 'host,role\ndb01,db\n');
    await muster.run(['account', 'add', 'dc', '--type', 'csv', '--set', 'path=hosts.csv']);
    const group = (name: string, account: string) => {
      return { name, enabled: true, interval: 'daily', jobs: [{ name: 'first', command: 'Import', account }] };
    };
    const rules = { cron_groups: [group('nightly', 'dc')] };
    await writeFile(join(muster.directory, 'groups.json'), JSON.stringify({ rules }));
    await muster.run(['rules', 'import', 'groups.json']);
    const words = ['cron', 'run', 'nightly', '--json'];
    expect(await muster.json(words)).toMatchObject({ name: 'nightly', state: 'done', jobs: [{ failed: false }] });
    expect(await names()).toBe('db01\n');
    expect((await muster.run(['cron', 'run', 'nothing'])).exitCode).toBe(1);
    await rm(join(muster.directory, 'hosts.csv'));
    const { exitCode, stdout } = await muster.run(words);
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({
      exitCode: 1,
      state: 'failed',
      jobs: [{ failed: true }],
    });
  });
});
