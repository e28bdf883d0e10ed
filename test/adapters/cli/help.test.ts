import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { CommandContext } from '../../../src/adapters/cli/context.ts';
import { buildProgram, loadGroup } from '../../../src/adapters/cli/program.ts';
import { fakeTerminal } from './fake-terminal.ts';

async function wholeProgram(): Promise<Command> {
  const context = new CommandContext(fakeTerminal().terminal, '0.0.0-test', () => {
    throw new Error('help must not open the application');
  });
  const program = buildProgram(context);
  for (const command of program.commands) await loadGroup(command, context);
  return program;
}

/** Without other spellings, which the help leaves out. */
function shown(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command);
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : shown(command).flatMap(leaves);
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function helpText(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => (text += part),
    getOutHelpWidth: () => 100,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return text;
}

function withDescendants(command: Command): Command[] {
  return [command, ...shown(command).flatMap(withDescendants)];
}

describe('help', () => {
  it('is what was agreed on, for every command', async () => {
    const texts = withDescendants(await wholeProgram()).map(
      (command) => `### ${pathOf(command)}\n\n${helpText(command)}`,
    );
    await expect(texts.join('\n')).toMatchFileSnapshot('help.snapshot.txt');
  });

  it('of every command says what it does and gives an example that begins with its own name', async () => {
    for (const command of withDescendants(await wholeProgram())) {
      const path = pathOf(command);
      expect(command.description(), path).not.toBe('');
      expect(helpText(command), path).toMatch(new RegExp(`\\n  \\$ .*${path}`));
    }
  });

  it('offers --json on every command that lists or answers something', async () => {
    const without = new Set([
      'muster inventory',
      'muster serve',
      'muster mcp',
      'muster demo',
      'muster completion',
      'muster rules export',
      'muster migrate run',
    ]);
    for (const command of leaves(await wholeProgram())) {
      const path = pathOf(command);
      expect(
        command.options.some((option) => option.long === '--json'),
        path,
      ).toBe(!without.has(path));
    }
  });

  it('never takes a secret as an argument, where the interface does not ask for that', async () => {
    const asked = ['--password <password>'];
    for (const command of withDescendants(await wholeProgram())) {
      const allowed = pathOf(command) === 'muster mcp' ? asked : [];
      const names = [
        ...command.options.map((option) => option.flags).filter((flags) => !allowed.includes(flags)),
        ...command.registeredArguments.map((argument) => argument.name()),
      ];
      expect(
        names.filter((name) => /(password|secret|token)[^-]*[<[]/.test(name)),
        pathOf(command),
      ).toEqual([]);
    }
  });
});
