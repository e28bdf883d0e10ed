import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { memoryStorage } from '../../src/adapters/storage/memory/storage.ts';
import { addAccount } from '../../src/app/accounts/operations/add-account.ts';
import { setAccount } from '../../src/app/accounts/operations/set-account.ts';
import { PluginRegistry } from '../../src/app/kernel/plugin-host/registry.ts';
import { OperationsApp } from '../app/operations/operations-app.ts';
import { registerBuiltins } from '../support/builtin-registry.ts';

/** Every type of accounts whose system is asked over HTTP. */
function httpTypes(): readonly string[] {
  const plugins = registerBuiltins(new PluginRegistry());
  const options = (id: string) => (plugins.source(id) ?? plugins.target(id))?.item.options as z.ZodObject | undefined;
  const ids = new Set([...plugins.sourceIds(), ...plugins.targetIds()]);
  return [...ids].filter((id) => 'token_url' in (options(id)?.shape ?? {}));
}

let muster: OperationsApp;
beforeAll(async () => {
  const storage = memoryStorage()();
  await storage.start();
  muster = await OperationsApp.over(storage);
});
afterAll(() => muster?.stop());

const add = (name: string, type: string, options: Record<string, string>) =>
  muster.run(addAccount, { name, type, settings: { address: 'https://cmdb.example.org', ...options } });

describe('an account of a system over HTTP', () => {
  it('has one of many types', () => {
    expect(httpTypes().length).toBeGreaterThan(8);
  });

  it.each(httpTypes())('of type %s is not saved with a login that lacks an option', async (type) => {
    await expect(add(type, type, { auth: 'oauth2' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'token_url is missing: auth oauth2 needs it',
      details: [expect.objectContaining({ path: expect.stringContaining('token_url') })],
    });
  });

  it('is not changed into one either', async () => {
    await add('lab', 'rest', { auth: 'oauth2', token_url: 'https://id.example.org/token' });
    await expect(muster.run(setAccount, { name: 'lab', settings: { token_url: '' } })).rejects.toThrow(
      'token_url is missing',
    );
    await expect(muster.run(setAccount, { name: 'lab', settings: { auth: 'session' } })).rejects.toThrow(
      'login_path is missing: auth session needs it',
    );
  });

  it('may have the rest of its login from a preset', async () => {
    await add('devices', 'cisco_dna', { auth: 'session' });
    await add('own', 'rest', { auth: 'oauth2', preset: 'own-system' });
  });
});
