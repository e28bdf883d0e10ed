import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { listenForDebugSignal } from '../../../src/adapters/cli/debug-signal.ts';
import { SharedLogLevel } from '../../../src/adapters/logging/shared-log-level.ts';
import { LOGGER_LEVELS } from '../../../src/ports/index.ts';
import { AdminClient } from '../admin/admin-client.ts';

describe('the level of the log', () => {
  it('is what all threads see that share it', () => {
    const here = new SharedLogLevel('info');
    const there = new SharedLogLevel(here.memory);
    for (const level of LOGGER_LEVELS) {
      here.set(level);
      expect(there.level).toBe(level);
      expect(LOGGER_LEVELS.filter((each) => there.allows(each))).toEqual(
        LOGGER_LEVELS.slice(LOGGER_LEVELS.indexOf(level)),
      );
    }
  });

  it('is said and set by administrators on the pages', async () => {
    const client = await AdminClient.start();
    const { services } = client.service;
    const ask = async (input: object, user = 'root') => {
      const answer = await client.call('system/set-log-level', await client.cookieOf(user), input);
      return [answer.statusCode, answer.json()];
    };
    expect(await ask({})).toEqual([200, { level: 'info', configured: 'info' }]);
    expect(await ask({ level: 'debug' })).toEqual([200, { level: 'debug', configured: 'info' }]);
    expect(services.logLevel.level).toBe('debug');
    const shown = await client.call('system/show-config', await client.cookieOf('root'), {});
    expect(shown.json()).toMatchObject({ log_level: 'debug' });
    expect((await ask({ level: 'loud' }))[0]).toBe(400);
    await client.service.addUser('olga');
    expect((await ask({ level: 'silent' }, 'olga'))[1]).toMatchObject({ code: 'role_missing' });
    expect(services.logLevel.level).toBe('debug');
    await client.service.stop();
  });

  it('is switched by a signal, and back', async () => {
    const client = await AdminClient.start({ LOG_LEVEL: 'warn' });
    const { services } = client.service;
    const stop = listenForDebugSignal(services);
    const switched = async () => {
      process.kill(process.pid, 'SIGUSR2');
      await setTimeout(50);
      return services.logLevel.level;
    };
    expect(await switched()).toBe('debug');
    expect(await switched()).toBe('warn');
    stop();
    await client.service.stop();
  });
});
