import { describe, expect, it } from 'vitest';
import { CommandContext } from '../../../src/adapters/cli/context.ts';
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
