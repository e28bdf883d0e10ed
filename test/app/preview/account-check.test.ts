import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { showAccounts } from '../../../src/app/accounts/operations/show-accounts.ts';
import { localOperator } from '../../../src/app/kernel/caller.ts';
import { testAccount } from '../../../src/app/preview/operations/test-account.ts';
import { tryAccount } from '../../../src/app/preview/operations/try-account.ts';
import { PluginWorld } from '../../security/support/plugin-world.ts';
import { STORES } from '../../security/support/two-stores.ts';

const PASSWORD = 'p&ss/w"rd 42';

/** A source whose answer to `check` is what its option says. */
const SOURCE = `
export default {
  id: 'talking', apiVersion: 1,
  register(host) {
    host.source({
      id: 'talking', title: 'Talking', description: 'Says what it is told to.',
      options: { safeParse: (data) => ({ success: true, data }) },
      open: ({ says }, { username, password }) => ({
        async check({ signal }) {
          if (says === 'nothing') return undefined;
          if (says === 'too late') await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
          if (says === 'refusal') throw new Error('401 for ' + username + ' with ' + password);
          return 'Crate 4.2 as ' + username + ', whose password is ' + password;
        },
        async *read() {
          yield [{
            kind: 'record', position: 'record 1', hostname: 'web1', labels: { os: 'linux' },
            relations: [{ type: 'runs_on', target: 'esx01' }],
          }];
        },
      }),
    });
  },
};`;

describe('what a source says of itself when its account is tried', () => {
  let world: PluginWorld;

  beforeEach(async () => {
    world = await PluginWorld.create(STORES[0][1]);
  });

  afterEach(async () => {
    await world.close();
  });

  async function tested(says: string) {
    const program = await world.program({ PLUGINS: [await world.module('talking', SOURCE)] });
    const settings = { username: 'reader', says };
    await program.run(addAccount, { name: 'crm', type: 'talking', password: PASSWORD, settings });
    return program.run(testAccount, { name: 'crm' });
  }

  it('is shown with its first records, without the secrets of the account', async () => {
    expect(await tested('who')).toEqual({
      account: 'crm',
      type: 'talking',
      source: { message: 'Crate 4.2 as reader, whose password is ********' },
      records: [
        {
          position: 'record 1',
          name: 'web1',
          hostname: 'web1',
          labels: { os: 'linux' },
          inventory: {},
          relations: [{ type: 'runs_on', target: 'esx01' }],
        },
      ],
    });
  });

  it('may be nothing', async () => {
    expect(await tested('nothing')).toMatchObject({ source: { message: '' }, records: [{ name: 'web1' }] });
  });

  it.each([
    ['refusal', /401 for reader with \*{8}/],
    ['too late', /did not answer|took longer|1 second/],
  ])('fails the test of the account: %s', async (says, message) => {
    await expect(tested(says)).rejects.toThrow(message);
  });

  it('is tried before there is an account: nothing is stored, and the password is in no message', async () => {
    const program = await world.program({ PLUGINS: [await world.module('talking', SOURCE)] });
    const given = { type: 'talking', password: PASSWORD, settings: { username: 'reader', says: 'who' } };
    expect(await program.run(tryAccount, given)).toMatchObject({
      message: 'Crate 4.2 as reader, whose password is ********',
      records: [{ hostname: 'web1', labels: { os: 'linux' } }],
    });
    const refused = program.run(tryAccount, { ...given, settings: { username: 'reader', says: 'refusal' } });
    await expect(refused).rejects.toThrow(/401 for reader with \*{8}/);
    expect(await program.run(showAccounts, {})).toEqual({ accounts: [] });
  });

  it('is tried by nobody who may not save it', async () => {
    const program = await world.program({ PLUGINS: [await world.module('talking', SOURCE)] });
    const given = { type: 'talking', settings: { username: 'reader', says: 'who' } };
    const operator = localOperator({ name: 'olga', path: 'test', requestId: 'test' });
    const reader = { ...operator, readOnly: true };
    await expect(program.run(tryAccount, given, reader)).rejects.toMatchObject({ code: 'read_only' });
    const author = { ...operator, globalAdmin: false, roles: ['rules', 'objects'] };
    await expect(program.run(tryAccount, given, author)).rejects.toMatchObject({ code: 'role_missing' });
  });
});
