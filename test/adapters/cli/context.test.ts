import { describe, expect, it, vi } from 'vitest';
import { CommandContext } from '../../../src/adapters/cli/context.ts';
import { processTerminal } from '../../../src/adapters/cli/terminal.ts';
import { fakeTerminal } from './fake-terminal.ts';

function neverOpened(): never {
  throw new Error('not needed');
}

describe('notes', () => {
  it('keep their colours and nothing else that drives a terminal', () => {
    const fake = fakeTerminal();
    const context = new CommandContext(fake.terminal, '0.0.0-test', neverOpened);
    context.note('\u001b[31mred\u001b[39m host \u001b[2J\u0007\u009b.');
    expect(fake.stderr()).toBe('\u001b[31mred\u001b[39m host \\x1b[2J\\x07\\x9b.\n');
  });
});

describe('results', () => {
  const text = '\u001b[1mhost\u001b[22m\t\u001b[2J\u0007\u202e.\n';

  it('drive no terminal either', async () => {
    const fake = fakeTerminal({ columns: 80 });
    await new CommandContext(fake.terminal, '0.0.0-test', neverOpened).result(text);
    expect(fake.stdout()).toBe('\u001b[1mhost\u001b[22m\t\\x1b[2J\\x07\\u202e.\n');
  });

  it('reach a pipe as they are', async () => {
    const fake = fakeTerminal();
    await new CommandContext(fake.terminal, '0.0.0-test', neverOpened).result(text);
    expect(fake.stdout()).toBe(text);
  });
});

describe('the standard input', () => {
  it('is opened by a command that reads it, and by no other', () => {
    const opened = vi.spyOn(process, 'stdin', 'get');
    const terminal = processTerminal(process.stdout, new AbortController().signal);
    expect(opened).not.toHaveBeenCalled();
    expect(terminal.stdin).toBe(process.stdin);
    opened.mockRestore();
  });
});

describe('the application', () => {
  it('is opened once, by the first command that needs it, with the options given until then', async () => {
    const requests: unknown[] = [];
    const context = new CommandContext(fakeTerminal().terminal, '0.0.0-test', (request) => {
      requests.push(request);
      throw new Error('not needed');
    });
    context.configure({ LOG_LEVEL: 'error' });
    context.configure({ HTTP_PORT: 1 });
    await expect(context.app()).rejects.toThrow('not needed');
    await expect(context.app()).rejects.toThrow('not needed');
    expect(requests).toEqual([
      {
        flags: { LOG_LEVEL: 'error', HTTP_PORT: 1 },
        role: 'command',
        storageMade: expect.any(Function),
        storageMayUpgrade: false,
        storageMustExist: true,
        start: 'required',
      },
    ]);
    await context.close();
  });
});
