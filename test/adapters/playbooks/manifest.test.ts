import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manifestPlaybookCatalogue } from '../../../src/adapters/playbooks/manifest/manifest-catalogue.ts';

let outside: string;
let directory: string;

beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), 'muster-manifest-'));
  directory = join(outside, 'playbooks');
  await mkdir(join(directory, 'sub'), { recursive: true });
  for (const file of ['a.yml', 'b.yml', 'sub/c.yml']) await writeFile(join(directory, file), '');
  await writeFile(join(outside, 'evil.yml'), '');
});
afterEach(() => rm(outside, { recursive: true }));

const list = () => manifestPlaybookCatalogue({ directory }).list();
const write = (content: string, name = 'playbooks.yml') => writeFile(join(directory, name), content);

describe('the manifest of playbooks', () => {
  it('names playbooks, by file, with what is usual where nothing is said', async () => {
    await write(
      'playbooks:\n  - {file: sub/c.yml}\n  - {file: a.yml, name: A, inventory: lab, description: does it}\n',
    );
    expect(await list()).toEqual({
      playbooks: [
        { file: 'a.yml', name: 'A', inventory: 'lab', description: 'does it' },
        { file: 'sub/c.yml', name: 'sub/c.yml', inventory: 'automation', description: '' },
      ],
      problems: [],
    });
  });

  it('is laid over by the local one, member by member', async () => {
    await write('playbooks:\n  - {file: a.yml, name: A, inventory: lab}\n  - {file: b.yml}\n');
    await write(
      'playbooks:\n  - {file: a.yml, inventory: mine}\n  - {file: sub/c.yml, name: C}\n',
      'playbooks.local.yml',
    );
    expect((await list()).playbooks.map(({ file, name, inventory }) => [file, name, inventory])).toEqual([
      ['a.yml', 'A', 'mine'],
      ['b.yml', 'b.yml', 'automation'],
      ['sub/c.yml', 'C', 'automation'],
    ]);
    await write('playbooks:\n  - {file: a.yml, inventory: 5}\n', 'playbooks.local.yml');
    const broken = await list();
    expect(broken.playbooks.map(({ file }) => file)).toEqual(['b.yml']);
    expect(broken.problems).toEqual([{ path: 'playbooks.local.yml: a.yml', message: 'inventory must be text' }]);
    await rm(join(directory, 'playbooks.yml'));
    await write('playbooks: [{file: b.yml}]', 'playbooks.local.yml');
    expect((await list()).playbooks).toHaveLength(1);
  });

  it('reports every entry that cannot be used, by name, and takes the others', async () => {
    await symlink(join(outside, 'evil.yml'), join(directory, 'link.yml'));
    await symlink(outside, join(directory, 'way-out'));
    await symlink('a.yml', join(directory, 'inside.yml'));
    const bad = [
      '{file: ../evil.yml}',
      `{file: ${outside}/evil.yml}`,
      '{file: link.yml}',
      '{file: way-out/evil.yml}',
      '{file: ./b.yml}',
      '{file: sub}',
      '{file: missing.yml}',
      '{file: b.yml, extra: 1}',
      '{file: 7}',
      '{name: x}',
      'text',
      '{file: b.yml, inventory: ""}',
    ];
    const good = ['{file: a.yml}', '{file: inside.yml}'];
    await write(
      `playbooks:\n${[...bad, ...good, '{file: a.yml, name: twice}'].map((line) => `  - ${line}\n`).join('')}`,
    );
    const { playbooks, problems } = await list();
    expect(playbooks.map(({ file }) => file)).toEqual(['a.yml', 'inside.yml']);
    expect(problems.map(({ path }) => path.slice('playbooks.yml: '.length)).sort()).toEqual(
      [
        '../evil.yml',
        `${outside}/evil.yml`,
        'link.yml',
        'way-out/evil.yml',
        './b.yml',
        'sub',
        'missing.yml',
        'b.yml',
        'entry 9',
        'entry 10',
        'entry 11',
        'b.yml',
        'a.yml',
      ].sort(),
    );
    for (const { message } of problems) expect(message).not.toBe('');
  });

  it.each(['playbooks: [', 'playbooks: 5', '[]', '', 'a: &a {}\nplaybooks: *a'])('cannot be %j', async (content) => {
    await write(content);
    await expect(list()).rejects.toMatchObject({ code: 'failed' });
  });

  it('must be there', async () => {
    await expect(list()).rejects.toMatchObject({ code: 'failed', message: expect.stringContaining('PLAYBOOK_DIR') });
  });
});
