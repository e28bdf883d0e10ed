import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { textOf } from '../../../src/kit/worded.ts';
import type { SourceItem } from '../../../src/ports/index.ts';
import { temporaryFolder } from '../../kit/shared/temporary-file.ts';
import { inEnglish } from '../../support/english-wordings.ts';
import { pythonEnvironment, pythonProgram } from '../../support/python-environment.ts';
import { itemsOf, open } from './support.ts';

const LONG = { timeout: 120_000 };
const VAULTED = '!vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  6162\n';

let folder: string;

beforeEach(async () => {
  folder = join(await temporaryFolder(), 'inventory');
  await mkdir(join(folder, 'group_vars'), { recursive: true });
  await writeFile(
    join(folder, 'hosts.ini'),
    `lone ansible_host=10.0.0.9
[web]
web[1:2].example.org
[web:vars]
role=web
[db]
db1 disks='[{"size": 10}]'
[prod:children]
web
db
[empty]
[prod:vars]
env=prod
`,
  );
  await writeFile(
    join(folder, 'group_vars', 'web.yml'),
    `password: ${VAULTED}says: !unsafe "{{ x }}"\nurl: "http://{{ inventory_hostname }}"\n`,
  );
});

const command = pythonProgram('ansible-inventory');

function read(fields: Readonly<Record<string, unknown>> = {}): Promise<SourceItem[]> {
  return itemsOf(open({ path: folder, command, ...fields }));
}

function byName(items: readonly SourceItem[]): Record<string, SourceItem> {
  return Object.fromEntries(items.map((item) => [item.kind === 'record' ? item.hostname : item.kind, item]));
}

describe('an inventory that real ansible-core reads', () => {
  it('gives hosts with the variables of their groups', LONG, async () => {
    const items = byName(await read());
    expect(Object.keys(items).sort()).toEqual(['db1', 'lone', 'web1.example.org', 'web2.example.org']);
    expect(items['web1.example.org']).toMatchObject({
      labels: {
        role: 'web',
        env: 'prod',
        says: '{{ x }}',
        url: 'http://{{ inventory_hostname }}',
        groups: ['web'],
        group_names: ['prod', 'web'],
      },
    });
    expect(JSON.stringify(items)).not.toMatch(/ANSIBLE_VAULT|6162/);
  });

  it('gives groups with what is theirs, and hosts with what is theirs', LONG, async () => {
    const items = byName(await read({ groups: 'both', variables: 'own', variables_section: 'ansible' }));
    expect(items.db1).toMatchObject({ inventory: { ansible: { disks: [{ size: 10 }] } } });
    expect(items.prod).toMatchObject({ type: 'group', inventory: { ansible: { env: 'prod' } } });
    expect(items.web).toMatchObject({
      relations: [{ type: 'member_of', target: 'prod' }],
      inventory: { ansible: { role: 'web', says: { __ansible_unsafe: '{{ x }}' } } },
    });
    expect(items.empty).toMatchObject({ type: 'group' });
  });

  it('reads scripts, and makes a gap of a file that nothing can parse', LONG, async () => {
    const script = join(folder, 'cloud.sh');
    await writeFile(script, '#!/bin/sh\necho \'{"cloud": ["vm1"], "_meta": {"hostvars": {"vm1": {"zone": "a"}}}}\'\n');
    await chmod(script, 0o755);
    await writeFile(join(folder, 'broken.yml'), 'broken: [');
    const items = await read();
    expect(inEnglish(items.filter(({ kind }) => kind === 'gap'))).toMatchObject([
      { what: join(folder, 'broken.yml'), reason: expect.stringContaining('YAML parsing failed') },
    ]);
    expect(byName(items).vm1).toMatchObject({ labels: { zone: 'a', groups: ['cloud'] } });
  });

  it('leaves out what ignore_patterns name, and still makes a gap of everything else', LONG, async () => {
    await writeFile(join(folder, 'zzz-inventory.config'), 'plugin: constructed\nstrict: False\n');
    await writeFile(join(folder, 'broken.yml'), 'broken: [');
    const gaps = async (patterns: string) =>
      (await read({ ignore_patterns: patterns })).flatMap((item) => (item.kind === 'gap' ? [item] : []));
    const [first, ...more] = await gaps('^broken');
    expect(more).toEqual([]);
    expect(first?.what).toBe(join(folder, 'zzz-inventory.config'));
    const [, named = ''] = /add (\S+) to ignore_patterns/.exec(textOf(first?.reason ?? '')) ?? [];
    expect(await gaps(`^broken,${named}`)).toEqual([]);
    expect((await gaps(named)).map(({ what }) => what)).toEqual([join(folder, 'broken.yml')]);
    await expect(gaps('.')).rejects.toThrow(/cannot be read/);
    await expect(gaps('(')).rejects.toThrow(/cannot be read/);
  });

  it('leaves out files that are encrypted as a whole: a gap, unless the account says so', LONG, async () => {
    const before = (await read()).length;
    const file = join(folder, 'group_vars', 'all', 'vault.yml');
    await mkdir(join(folder, 'group_vars', 'all'), { recursive: true });
    await writeFile(file, '$ANSIBLE_VAULT;1.1;AES256\n6162\n');
    const items = await read();
    expect(items.filter(({ kind }) => kind === 'gap')).toMatchObject([{ what: file }]);
    expect(items.length).toBe(before + 1);
    expect(JSON.stringify(items)).not.toContain('6162');
    const whole = await read({ vaulted: 'leave_out' });
    expect(whole.filter(({ kind }) => kind === 'gap')).toEqual([]);
    expect(whole.length).toBe(before);
  });

  it('fails where a script fails or a folder is empty', LONG, async () => {
    const empty = await temporaryFolder();
    await expect(itemsOf(open({ path: empty, command }))).rejects.toThrow(/cannot be read/);
  });

  it('uses no password of a vault that a configuration beside the inventory names', LONG, async () => {
    const password = join(folder, '..', 'password');
    await writeFile(password, 'hunter2');
    const all = join(folder, 'group_vars', 'db.yml');
    await writeFile(all, 'clear_secret: swordfish\n');
    const vault = promisify(execFile)(
      pythonProgram('ansible-vault'),
      ['encrypt', all, '--vault-password-file', password],
      {
        env: pythonEnvironment(),
      },
    );
    await vault;
    await writeFile(join(folder, 'ansible.cfg'), `[defaults]\nvault_password_file = ${password}\n`);
    const items = await read();
    expect(JSON.stringify(items)).not.toContain('swordfish');
    expect(items.filter(({ kind }) => kind === 'gap')).toMatchObject([{ what: all }]);
  });

  it('says what reads it', LONG, async () => {
    const told = await open({ path: folder, command }).check?.({ signal: new AbortController().signal });
    expect(told).toMatch(/^the folder .*inventory, read by .*ansible-inventory \[core 2/);
  });
});
