import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeFolderCommand } from '../../../src/adapters/cli/commands/rules/folder/write-folder.ts';
import type { CommandContext } from '../../../src/adapters/cli/context.ts';
import { temporaryFolder } from '../../kit/shared/temporary-file.ts';

/** A service in other hands names types. */
async function exported(...types: readonly string[]) {
  const workingDirectory = await temporaryFolder();
  const documents = types.map((rule_type) => ({ rule_type, name: 'x', document: { name: 'x' } }));
  const context = {
    terminal: { workingDirectory, signal: new AbortController().signal },
    value: () => Promise.resolve({ documents, left_out: [] }),
    note: () => undefined,
  } as unknown as CommandContext;
  const error = await writeFolderCommand(context, undefined, 'deep/out').then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, files: (await readdir(workingDirectory, { recursive: true })).filter((name) => name.includes('.')) };
}

describe('a folder that is written from what a service says', () => {
  it.each(['../../owned', '..', '/tmp/owned', 'a/../../b', '', '.ssh', 'a\0b'])('has no type %j', async (type) => {
    const { error, files } = await exported('custom_attributes', type);
    expect(error).toMatchObject({ name: 'AppError', code: 'failed' });
    expect(files).toEqual([]);
  });

  it('has a folder for each type', async () => {
    const { error, files } = await exported('custom_attributes', 'acme.rules-2');
    expect(error).toBeUndefined();
    expect(files.filter((name) => name.endsWith('.yaml')).sort()).toEqual([
      join('deep/out/acme.rules-2/x.yaml'),
      join('deep/out/custom_attributes/x.yaml'),
    ]);
  });
});
