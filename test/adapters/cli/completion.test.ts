import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { choicesFor } from '../../../src/adapters/cli/commands/completion/choices.ts';
import { CommandContext } from '../../../src/adapters/cli/context.ts';
import { runCli } from '../../../src/adapters/cli/run.ts';
import { fakeTerminal } from './fake-terminal.ts';

const NO_STORE = () => {
  throw new Error('completion must not open the application');
};

async function words(...written: readonly string[]): Promise<readonly string[]> {
  const context = new CommandContext(fakeTerminal().terminal, '0.0.0-test', NO_STORE);
  return (await choicesFor(written, context)).map(({ word }) => word);
}

describe('completion', () => {
  it('offers commands, those below them, their options and the values of these', async () => {
    expect(await words('ho')).toEqual(['host']);
    expect(await words('')).toContain('inventory');
    expect(await words('')).not.toContain('complete');
    expect(await words('host', 'l')).toEqual(['list']);
    expect(await words('host', 'list', '--col')).toEqual(['--columns']);
    expect(await words('host', 'list', '--log-l')).toEqual(['--log-level']);
    expect(await words('--log-level', 'w')).toEqual(['warn']);
    expect(await words('--data-dir', 'host', 'hos')).toEqual(['host']);
    expect(await words('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(await words('plugin', 'new', 'mine', '--kind', 'ta')).toEqual(['target']);
  });

  it('offers nothing where any text may stand, so that the shell offers files', async () => {
    expect(await words('backup', '')).toEqual([]);
    expect(await words('host', 'list', '--columns', '')).toEqual([]);
    expect(await words('nothing', 'of', 'this')).toEqual([]);
  });

  it('of bash asks the program that was called, and understands its answer', async () => {
    const { terminal, stdout } = fakeTerminal();
    await runCli(['completion', 'bash'], terminal, { version: '0.0.0-test', open: NO_STORE });
    const folder = await mkdtemp(join(tmpdir(), 'muster-completion-'));
    try {
      const program = join(folder, 'muster');
      await writeFile(program, '#!/bin/sh\nprintf "%s\\tsummary\\n" "asked:$*" second\n', { mode: 0o755 });
      const script = `${stdout()}\nCOMP_WORDS=("$1" host "two words")\nCOMP_CWORD=2\n_muster\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
      const answered = await promisify(execFile)('bash', ['-c', script, 'bash', program]);
      expect(answered.stdout).toBe('asked:complete -- host two words\nsecond\n');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
