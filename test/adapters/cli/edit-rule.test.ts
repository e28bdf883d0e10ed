import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MusterHarness, musterHarness } from './run-muster.ts';

let muster: MusterHarness;

beforeEach(async () => {
  muster = await musterHarness();
  await muster.run(
    ['account', 'add', 'netbox', '--type', 'netbox', '--set', 'address=https://a.example.org', '--password-stdin'],
    {
      stdin: 'hunter-two\n',
    },
  );
});

afterEach(() => muster.close());

/** An editor that does this to the file. */
async function editor(script: string): Promise<Readonly<Record<string, string>>> {
  const path = join(muster.directory, 'editor');
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return { VISUAL: path };
}

const edit = async (script: string, options: object = {}) =>
  muster.run(['rules', 'edit', 'accounts', 'netbox'], { variables: await editor(script), ...options });

describe('muster rules edit', () => {
  it('shows the differences, saves them, and keeps secrets as they are stored', async () => {
    const before = (await muster.storage.rules.findByName('accounts', 'netbox'))?.document.value;
    const { exitCode, stderr } = await edit('sed -i \'s/a.example/b.example/\' "$1"');
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringContaining('address  https://a.example.org → https://b.example.org'),
    ]);
    const after = await muster.storage.rules.findByName('accounts', 'netbox');
    expect(after).toMatchObject({ version: 2, document: { value: { ...before, address: 'https://b.example.org' } } });
  });

  it('keeps a text that is refused, and says where', async () => {
    const { exitCode, stderr } = await edit('echo "rules: [" >> "$1"');
    expect(exitCode).toBe(1);
    const file = /kept in (\S+)/.exec(stderr)?.[1] ?? '';
    expect(await readFile(file, 'utf8')).toContain('rules: [');
    await rm(dirname(file), { recursive: true });
  });

  it.each([
    ['true', 0, 'Nothing was changed.'],
    ['exit 3', 1, 'nothing was saved'],
  ])('after %s changes nothing', async (script, code, message) => {
    const { exitCode, stderr } = await edit(script);
    expect([exitCode, stderr]).toEqual([code, expect.stringContaining(message)]);
    expect(stderr).not.toContain('kept in');
    expect(await muster.storage.rules.findByName('accounts', 'netbox')).toMatchObject({ version: 1 });
  });

  it('saves nothing without a yes', async () => {
    const { exitCode, stderr } = await edit('sed -i \'s/a.example/b.example/\' "$1"', { typed: 'n\n' });
    expect(exitCode).toBe(1);
    const file = /kept in (\S+)/.exec(stderr)?.[1] ?? '';
    await rm(dirname(file), { recursive: true });
    expect(await muster.storage.rules.findByName('accounts', 'netbox')).toMatchObject({ version: 1 });
  });
});

it('muster rules show prints what a folder takes, without secrets', async () => {
  const { stdout } = await muster.run(['rules', 'show', 'accounts', 'netbox']);
  expect(stdout).toContain('password_crypted:\n      stored: true');
  await writeFile(join(muster.directory, 'netbox.yaml'), stdout);
  const plan = await muster.json<{ readonly changes: unknown[] }>(['rules', 'diff', 'netbox.yaml']);
  expect(plan.changes).toEqual([]);
});
