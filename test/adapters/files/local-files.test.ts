import { execFileSync } from 'node:child_process';
import { link, mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { localFiles } from '../../../src/adapters/files/local-files.ts';
import type { FileAccess, ProcessIdentity, SourceFiles, TargetFiles } from '../../../src/ports/index.ts';
import { readContext, temporaryFolder } from '../../kit/shared/temporary-file.ts';

const SECRET = 'c0ffee'.repeat(10);
const OUTSIDE = /is outside the folders/;
const OWN = /is among the files of the service itself/;
const KEPT = /belongs to the service itself/;

let root: string;
let access: FileAccess;
let sources: SourceFiles;
let targets: TargetFiles;

beforeEach(async () => {
  root = await temporaryFolder();
  for (const folder of ['data/imports/sub', 'data/exports', 'etc', 'plugins/mine', 'elsewhere', 'big']) {
    await mkdir(at(folder), { recursive: true });
  }
  for (const file of ['data/instance.key', 'data/other', 'etc/local_config.yaml', 'etc/environment', 'elsewhere/x']) {
    await writeFile(at(file), SECRET);
  }
  access = accessTo([at('data/imports')], [at('data/exports')]);
  sources = access.sources({ anywhere: false, advice: 'ask the operator' });
  targets = access.targets({ anywhere: false, advice: 'ask the operator' });
});

function at(path: string): string {
  return join(root, path);
}

/** Two processes besides this one: one that was killed, and one that runs. */
const identity: ProcessIdentity = { name: 'here/3/1', isDead: (name) => name === 'here/1/1' };

function accessTo(
  sourceFolders: readonly string[],
  targetFolders: readonly string[],
  absoluteFolders: readonly string[] = [],
): FileAccess {
  return localFiles({
    workingDirectory: root,
    absoluteFolders,
    process: identity,
    sourceFolders,
    targetFolders,
    dataFolder: at('data'),
    openInData: [at('data/imports'), at('data/exports')],
    configurationFolders: [at('etc')],
    programs: [at('plugins/mine')],
    secretFiles: [at('data/instance.key'), at('etc/local_config.yaml'), at('data/muster.db')],
  });
}

function read(path: string, files = sources): Promise<string> {
  return text(files.read(path, readContext()));
}

function write(path: string, files = targets): Promise<'written' | 'unchanged'> {
  async function* content() {
    yield 'new';
  }
  const run = { dryRun: false, signal: new AbortController().signal, progress: () => undefined };
  return files.replace(path, content(), run);
}

describe('paths that targets are newly given', () => {
  it('stay where they lead into a folder of exports from where the service starts', async () => {
    for (const path of ['data/exports/x.csv', 'data/exports/new/x.csv', at('data/exports/x.csv'), './data/exports/x'])
      expect(await access.beginning(path), path).toBe('');
  });

  it('begin in the first of the folders where they are relative and lead elsewhere', async () => {
    for (const path of ['x.csv', 'inventory/x', 'elsewhere/x', 'data/x'])
      expect(await access.beginning(path), path).toBe('data/exports');
    const both = accessTo([], [at('elsewhere'), at('data/exports')], [at('elsewhere')]);
    expect(await both.beginning('x.csv')).toBe(at('elsewhere'));
    expect(await both.beginning('data/exports/x.csv')).toBe('');
  });

  it('are refused everywhere else', async () => {
    await symlink(at('elsewhere'), at('data/exports/away'));
    for (const path of ['../x', 'a/../../x', '/etc/x', at('elsewhere/x'), at('data/instance.key'), 'away/x'])
      expect(await access.beginning(path), path).toBeUndefined();
    expect(await accessTo([], []).beginning('x.csv')).toBeUndefined();
  });
});

describe('files that sources read', () => {
  it('are those below the folders, by relative and absolute paths and by links inside', async () => {
    await writeFile(at('data/imports/sub/hosts.csv'), 'host');
    await symlink('sub/hosts.csv', at('data/imports/latest'));
    for (const path of ['data/imports/sub/hosts.csv', at('data/imports/latest'), 'data/imports/../imports/latest']) {
      expect(await read(path), path).toBe('host');
    }
  });

  it('may be read by programs in the same borders, and a folder only without secrets below it', async () => {
    await symlink(at('elsewhere'), at('data/imports/away'));
    expect(await sources.place('data/imports/sub')).toEqual({ path: at('data/imports/sub'), isFolder: true });
    await expect(sources.place('data/imports/away')).rejects.toThrow(OUTSIDE);
    await expect(sources.place('elsewhere/x')).rejects.toThrow(OUTSIDE);
    const anywhere = access.sources({ anywhere: true, advice: 'ask the operator' });
    expect(await anywhere.place('elsewhere/x')).toEqual({ path: at('elsewhere/x'), isFolder: false });
    for (const path of ['data', '.', 'etc']) await expect(anywhere.place(path)).rejects.toThrow(/keeps secrets/);
    await expect(anywhere.place('data/instance.key')).rejects.toThrow(KEPT);
    await expect(anywhere.place('nowhere')).rejects.toThrow(/does not exist/);
    await expect(anywhere.place('/dev/null')).rejects.toThrow(/no?t a regular file/);
  });

  it('may come by a folder that is a link itself', async () => {
    await symlink(at('elsewhere'), at('mounted'));
    const files = accessTo([at('mounted')], []).sources({ anywhere: false, advice: 'ask the operator' });
    expect(await read('mounted/x', files)).toBe(SECRET);
    expect(await read('elsewhere/x', files)).toBe(SECRET);
  });

  it('are no others, and nothing tells whether there is one', async () => {
    const messages = [
      'elsewhere/x',
      'elsewhere/absent',
      'data/imports/../../elsewhere/x',
      'data/imports',
      '/etc/passwd',
    ];
    for (const path of messages) await expect(read(path), path).rejects.toThrow(OUTSIDE);
    const [there, absent] = await Promise.all(
      ['elsewhere/x', 'elsewhere/absent'].map((path) => read(path).catch((error) => error.message)),
    );
    expect(absent).toBe(there.replace('elsewhere/x', 'elsewhere/absent'));
    expect(there).toContain(at('data/imports'));
    expect(there).toContain('FILE_SOURCE_DIRS');
    expect(there).toContain('or ask the operator');
  });

  it('are not reached by links that lead out, of files and of folders', async () => {
    await symlink(at('elsewhere/x'), at('data/imports/file'));
    await symlink(at('elsewhere'), at('data/imports/folder'));
    await symlink('../other', at('data/imports/up'));
    for (const path of ['file', 'folder/x', 'folder/absent', 'up']) {
      await expect(read(`data/imports/${path}`), path).rejects.toThrow(OUTSIDE);
    }
  });

  it('are what was checked, also when a link takes their place meanwhile', async () => {
    await writeFile(at('data/imports/hosts'), 'host');
    let swapping = true;
    const swap = (async () => {
      while (swapping) {
        await symlink(at('elsewhere/x'), at('data/imports/link'));
        await rename(at('data/imports/link'), at('data/imports/hosts'));
        await writeFile(at('data/imports/file'), 'host');
        await rename(at('data/imports/file'), at('data/imports/hosts'));
      }
    })();
    const seen = new Set<string>();
    for (let round = 0; round < 300; round++) seen.add(await read('data/imports/hosts').catch((error) => error.code));
    swapping = false;
    await swap;
    expect([...seen].filter((content) => content !== 'host' && content !== 'failed')).toEqual([]);
  });

  it('are none of the service, even where a folder holds them all', async () => {
    const files = accessTo([root], []).sources({ anywhere: false, advice: 'ask the operator' });
    await writeFile(at('data/imports/hosts'), 'host');
    await writeFile(at('big/hosts'), 'host');
    expect(await read('data/imports/hosts', files)).toBe('host');
    expect(await read('big/hosts', files)).toBe('host');
    for (const path of ['data/other', 'data/absent', 'etc/environment']) {
      await expect(read(path, files), path).rejects.toThrow(OWN);
    }
    for (const path of ['data/instance.key', 'etc/local_config.yaml', 'data/muster.db']) {
      await expect(read(path, files), path).rejects.toThrow(KEPT);
    }
  });

  it('are anywhere for the operator, but for the secrets of the service under any name', async () => {
    const operator = access.sources({ anywhere: true, advice: 'ask the operator' });
    await link(at('data/instance.key'), at('data/imports/hard'));
    await symlink(at('data/instance.key'), at('elsewhere/soft'));
    expect(await read('elsewhere/x', operator)).toBe(SECRET);
    expect(await read('data/other', operator)).toBe(SECRET);
    for (const path of ['data/instance.key', 'data/imports/hard', 'elsewhere/soft', 'etc/local_config.yaml']) {
      await expect(read(path, operator), path).rejects.toThrow(KEPT);
    }
    await expect(read('data/imports/hard')).rejects.toThrow(KEPT);
  });

  it('are regular files', async () => {
    execFileSync('mkfifo', [at('data/imports/fifo')]);
    await symlink('circle', at('data/imports/circle'));
    await expect(read('data/imports/fifo')).rejects.toThrow(/not a regular file/);
    await expect(read('data/imports/sub')).rejects.toThrow(/is a directory/);
    await expect(read('data/imports/absent')).rejects.toThrow(/does not exist/);
    await expect(read('data/imports/circle')).rejects.toThrow(/lead in a circle/);
    await symlink('/dev/zero', at('data/imports/zero'));
    await expect(read('data/imports/zero')).rejects.toThrow(OUTSIDE);
  });

  it('say nothing of their content in an error', async () => {
    for (const path of ['elsewhere/x', 'data/instance.key', 'data/other']) {
      const { message } = await read(path).then(
        () => new Error('was read'),
        (error: Error) => error,
      );
      expect(message).not.toContain('c0ffee');
    }
  });
});

describe('files that are kept for sources', () => {
  it('are new ones in the first of the folders, which is made', async () => {
    await rm(at('data/imports'), { recursive: true });
    expect(await access.keep('datacentre-1.csv', 'host\nweb01\n')).toBe('data/imports/datacentre-1.csv');
    expect(await read('data/imports/datacentre-1.csv')).toBe('host\nweb01\n');
    const elsewhere = accessTo([at('big'), at('data/imports')], []);
    expect(await elsewhere.keep('datacentre-1.csv', 'host\n')).toBe('big/datacentre-1.csv');
    // Another command is started elsewhere.
    const absolute = accessTo([at('given')], [], [at('given')]);
    expect(absolute.folders().sources).toEqual([at('given')]);
    expect(await absolute.keep('datacentre-1.csv', 'host\n')).toBe(at('given/datacentre-1.csv'));
  });

  it('are replaced as a whole where that is asked for, and count once', async () => {
    const room = { most: 10, counts: () => true };
    await access.keep('datacentre-1.csv', 'first', room);
    await access.keep('datacentre-1.csv', 'seconds', room, true);
    expect(await read('data/imports/datacentre-1.csv')).toBe('seconds');
    await expect(access.keep('datacentre-1.csv', 'much too long', room, true)).rejects.toThrow(/is full/);
    expect(await read('data/imports/datacentre-1.csv')).toBe('seconds');
    expect((await readdir(at('data/imports'))).filter((name) => name.includes('datacentre'))).toEqual([
      'datacentre-1.csv',
    ]);
  });

  it('take the place of none, and lie nowhere else', async () => {
    await access.keep('datacentre-1.csv', 'first');
    await expect(access.keep('datacentre-1.csv', 'second')).rejects.toThrow(/is there already/);
    expect(await read('data/imports/datacentre-1.csv')).toBe('first');
    for (const name of ['../other.csv', 'sub/x.csv', '/etc/x.csv', '..', '.']) {
      await expect(access.keep(name, 'text'), name).rejects.toThrow();
    }
    await symlink(at('elsewhere/new'), at('data/imports/link.csv'));
    await expect(access.keep('link.csv', 'text')).rejects.toThrow();
    expect(await readdir(at('elsewhere'))).toEqual(['x']);
    await expect(accessTo([], []).keep('datacentre-1.csv', 'text')).rejects.toThrow(/cannot be kept/);
  });
});

describe('folders that sources read', () => {
  it('give their files, sorted, also those that links lead to; hidden ones and inner folders are left out', async () => {
    for (const file of ['b.json', 'a.json', 'a.csv', '.hidden', 'sub/inner.json']) {
      await writeFile(at(`data/imports/${file}`), file);
    }
    await symlink('sub/inner.json', at('data/imports/link.json'));
    await symlink('sub', at('data/imports/folder.json'));
    execFileSync('mkfifo', [at('data/imports/fifo.json')]);
    const all = ['a.csv', 'a.json', 'b.json', 'link.json'].map((name) => `data/imports/${name}`);
    expect(await sources.list('data/imports')).toEqual(all);
    expect(await sources.list('data/imports/')).toEqual(all);
    expect(await sources.list(at('data/imports'))).toEqual(all.map(at));
    expect(await sources.list('data/imports/*.json')).toEqual(all.slice(1));
    expect(await sources.list('data/imports/?.json')).toEqual(all.slice(1, 3));
    expect(await sources.list('data/imports/[ab].json')).toBeUndefined();
    expect(await sources.list('data/imports/*.yml')).toEqual([]);
    expect(await read('data/imports/link.json')).toBe('sub/inner.json');
  });

  it('are none where the path is that of a file, whatever its name', async () => {
    await writeFile(at('data/imports/*.csv'), 'host');
    await writeFile(at('data/imports/a.csv'), 'host');
    for (const path of ['data/imports/*.csv', 'data/imports/a.csv', 'data/imports/absent']) {
      expect(await sources.list(path), path).toBeUndefined();
    }
    await expect(sources.list('data/imports/absent/*')).rejects.toThrow(/does not exist/);
  });

  it('are no others, and nothing tells whether there is one', async () => {
    await symlink(at('elsewhere'), at('data/imports/out'));
    const paths = ['elsewhere', 'elsewhere/*', 'absent/*', 'data', 'data/*', 'etc', 'data/imports/out', '/etc/*'];
    for (const path of paths) await expect(sources.list(path), path).rejects.toThrow(OUTSIDE);
    for (const path of ['elsewhere/x', 'elsewhere/absent']) {
      expect(await sources.list(path)).toBeUndefined();
      await expect(read(path), path).rejects.toThrow(OUTSIDE);
    }
    const [there, absent] = await Promise.all(
      ['elsewhere/*', 'absent/*'].map((path) => sources.list(path).catch((error) => error.message)),
    );
    expect(absent).toBe(there.replace('elsewhere', 'absent'));
  });

  it('hold links that lead out, which are refused when they are read', async () => {
    await symlink(at('elsewhere/x'), at('data/imports/x'));
    await link(at('data/instance.key'), at('data/imports/key'));
    expect(await sources.list('data/imports')).toEqual(['data/imports/key', 'data/imports/x']);
    await expect(read('data/imports/x')).rejects.toThrow(OUTSIDE);
    await expect(read('data/imports/key')).rejects.toThrow(KEPT);
  });

  it('are none of the service', async () => {
    const files = accessTo([root], []).sources({ anywhere: false, advice: 'ask the operator' });
    for (const path of ['data', 'etc', 'etc/*']) await expect(files.list(path), path).rejects.toThrow(OWN);
    expect(await files.list('data/imports')).toEqual([]);
    expect(await files.list('elsewhere')).toEqual(['elsewhere/x']);
  });
});

describe('files that targets write', () => {
  it('are those below the folders; a missing folder is made', async () => {
    expect(await write('data/exports/hosts')).toBe('written');
    expect(await write('data/exports/hosts')).toBe('unchanged');
    expect(await readFile(at('data/exports/hosts'), 'utf8')).toBe('new');
    expect(await readdir(at('data/exports'))).toEqual(['hosts']);
    await rm(at('data/exports'), { recursive: true });
    expect(await targets.size('data/exports/hosts')).toBeUndefined();
    expect(await readdir(at('data'))).not.toContain('exports');
    expect(await write('data/exports/hosts')).toBe('written');
    expect(await write('data/exports/new/hosts')).toBe('written');
    // What is not the service's own is people's business.
    const others = accessTo([], [at('elsewhere')]).targets({ anywhere: false, advice: 'ask the operator' });
    await expect(write('elsewhere/absent/hosts', others)).rejects.toThrow(/its folder does not exist/);
  });

  it('are no others', async () => {
    await symlink(at('elsewhere/x'), at('data/exports/file'));
    await symlink(at('elsewhere'), at('data/exports/folder'));
    await symlink(at('elsewhere/new'), at('data/exports/dangling'));
    const paths = ['elsewhere/x', 'elsewhere/absent', 'data/exports', 'data/imports/x', 'data/exports/../other'];
    for (const path of [...paths, 'data/exports/file', 'data/exports/folder/new']) {
      await expect(write(path), path).rejects.toThrow(OUTSIDE);
      await expect(targets.size(path), path).rejects.toThrow(OUTSIDE);
      await expect(targets.remove(path), path).rejects.toThrow(OUTSIDE);
    }
    expect(await readFile(at('elsewhere/x'), 'utf8')).toBe(SECRET);
    // A link to nothing is replaced where it stands.
    await write('data/exports/dangling');
    expect(await readdir(at('elsewhere'))).toEqual(['x']);
    await expect(targets.list('elsewhere')).rejects.toThrow(OUTSIDE);
    await expect(targets.list('data/exports/folder')).rejects.toThrow(OUTSIDE);
  });

  it('stay in the folder that was checked, also when a link takes its place while the text comes', async () => {
    await mkdir(at('data/exports/sub'));
    async function* slow() {
      yield 'new';
      await rename(at('data/exports/sub'), at('data/exports/moved'));
      await symlink(at('elsewhere'), at('data/exports/sub'));
    }
    const run = { dryRun: false, signal: new AbortController().signal, progress: () => undefined };
    await targets.replace('data/exports/sub/x', slow(), run);
    expect(await readFile(at('elsewhere/x'), 'utf8')).toBe(SECRET);
    expect(await readdir(at('elsewhere'))).toEqual(['x']);
    expect(await readFile(at('data/exports/moved/x'), 'utf8')).toBe('new');
  });

  it('are none of the service, its plugins included, even where a folder holds them all', async () => {
    const files = accessTo([], [root]).targets({ anywhere: false, advice: 'ask the operator' });
    expect(await write('big/hosts', files)).toBe('written');
    expect(await write('data/exports/hosts', files)).toBe('written');
    for (const path of ['data/other', 'data/new', 'etc/environment', 'etc/new', 'plugins/mine/index.js']) {
      await expect(write(path, files), path).rejects.toThrow(OWN);
    }
    const operator = access.targets({ anywhere: true, advice: 'ask the operator' });
    for (const path of ['data/instance.key', 'data/muster.db', 'etc/local_config.yaml']) {
      await expect(write(path, files), path).rejects.toThrow(KEPT);
      await expect(write(path, operator), path).rejects.toThrow(KEPT);
    }
    expect(await write('elsewhere/x', operator)).toBe('written');
  });

  it('lose what a killed run left beside them, and nothing else', async () => {
    const random = '0123456789abcdef';
    const dead = [`.muster.here%2F1%2F1.${random}.tmp`, `.muster.here%2F1%2F1.${random}.part`];
    const old = `.muster.there%2F1%2F1.${random}.tmp`;
    const others = [
      `.muster.here%2F2%2F1.${random}.tmp`,
      `.muster.there%2F9%2F9.${random}.tmp`,
      `.muster.here%2F1%2F1.${random}.txt`,
      '.muster.out.json',
      `.muster.%E0.${random}.tmp`,
      'hosts.tmp',
    ];
    const fill = async () => {
      for (const name of [...dead, old, ...others]) await writeFile(at(`data/exports/${name}`), 'x');
      const past = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
      await utimes(at(`data/exports/${old}`), past, past);
    };
    const left = async () => (await readdir(at('data/exports'))).sort();
    await mkdir(at('data/exports'), { recursive: true });
    await fill();
    await mkdir(at(`data/exports/.muster.here%2F1%2F1.${'f'.repeat(16)}.tmp`));
    const folder = `.muster.here%2F1%2F1.${'f'.repeat(16)}.tmp`;
    expect(await write('data/exports/out')).toBe('written');
    expect(await left()).toEqual([...others, folder, 'out'].sort());

    await fill();
    const run = { dryRun: true, signal: new AbortController().signal, progress: () => undefined };
    const stageIn = async (dryRun: boolean) => {
      const stage = targets.stage('data/exports', { ...run, dryRun });
      await stage.append('data/exports/out', 'new');
      for await (const _ of stage.compare());
      await stage.commit([]);
      await stage.discard();
    };
    await stageIn(true);
    expect(await left()).toContain(dead[0]);
    await stageIn(false);
    expect(await left()).toEqual([...others, folder, 'out'].sort());
  });

  it('can be listed and deleted', async () => {
    await write('data/exports/b');
    await write('data/exports/a');
    await mkdir(at('data/exports/folder'));
    await symlink('a', at('data/exports/link'));
    expect(await targets.list('data/exports')).toEqual(['a', 'b']);
    await targets.remove('data/exports/a');
    await targets.remove('data/exports/absent');
    expect(await targets.list('data/exports')).toEqual(['b']);
    await expect(targets.list('data/exports/absent')).rejects.toThrow(/does not exist/);
  });
});
