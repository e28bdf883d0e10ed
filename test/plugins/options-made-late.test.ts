import { describe, expect, it } from 'vitest';
import { loadPlugins } from '../../src/app/kernel/plugin-host/load.ts';
import { PluginRegistry } from '../../src/app/kernel/plugin-host/registry.ts';
import { madeOnce } from '../../src/kit/options/made-once.ts';
import { BUILTIN_PLUGINS } from '../../src/plugins/index.ts';
import type { Plugin } from '../../src/ports/index.ts';
import { recordingLogger } from '../support/recording-logger.ts';

describe('options of accounts', () => {
  it('are made when they are first read, not as plugins register: most commands never read them', async () => {
    const registry = new PluginRegistry();
    await loadPlugins(registry, {
      builtin: BUILTIN_PLUGINS as unknown as readonly Plugin<never>[],
      modules: [],
      settings: {},
      directories: [],
      timeoutSeconds: 10,
      logger: recordingLogger([]),
    });
    const types = [
      ...registry.sourceIds().map((id) => registry.source(id)?.item),
      ...registry.targetIds().map((id) => registry.target(id)?.item),
    ];
    expect(types.length).toBeGreaterThan(15);
    for (const type of types) {
      expect(Object.getOwnPropertyDescriptor(type, 'options')?.get, type?.id).toBeTypeOf('function');
      expect(type?.options, type?.id).toBe(type?.options);
    }
  });

  it('are made once, also where that is nothing', () => {
    let times = 0;
    const made = madeOnce(() => {
      times += 1;
      return undefined;
    });
    expect(times).toBe(0);
    expect([made(), made()]).toEqual([undefined, undefined]);
    expect(times).toBe(1);
  });
});
