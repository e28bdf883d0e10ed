import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../src/app/accounts/operations/add-account.ts';
import { listAccountTypes } from '../../src/app/accounts/operations/list-account-types.ts';
import { backUp } from '../../src/app/backups/operations/back-up.ts';
import { exportAccount } from '../../src/app/exports/operations/export-account.ts';
import { getHost } from '../../src/app/hosts/operations/get-host.ts';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import type { Config } from '../../src/app/kernel/config/schema.ts';
import { testAccount } from '../../src/app/preview/operations/test-account.ts';
import { createRule } from '../../src/app/rules/operations/create-rule.ts';
import { runCronPass } from '../../src/app/runs/cron/operations/run-pass.ts';
import { importAccount } from '../../src/app/runs/import/operations/import-account.ts';
import type { OperationsApp } from '../app/operations/operations-app.ts';
import { ROOT } from '../architecture/source-files.ts';
import { echoingPlugin } from './support/echoing-plugin.ts';
import { Entrances } from './support/entrances.ts';
import { PluginWorld } from './support/plugin-world.ts';
import { THOROUGH_STORES } from './support/two-stores.ts';

const PASSWORD = 'p&ss/w"rd ü+42?~';
const TOKEN = 'tok<en>/of/it+1234';
const INHERITED = 'parents own; secret=9';
const SETTING = 'setting:of-the/plugin 7';
const USER = 'muster';

/** All that must be nowhere: each secret as it is and as it is known to be spelled. */
const FORBIDDEN = [PASSWORD, TOKEN, INHERITED, SETTING].flatMap((s) => [
  s,
  encodeURIComponent(s),
  encodeURIComponent(s).toLowerCase(),
  new URLSearchParams({ p: s }).toString().slice(2),
  Object.assign(new URL('http://u@h'), { password: s }).href.slice('http://u:'.length, -'@h/'.length),
  JSON.stringify(s).slice(1, -1),
  s.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  ...(['utf8', 'latin1'] as const).flatMap((encoding) =>
    [s, `${USER}:${s}`, `svc:${s}`].flatMap((text) => [
      Buffer.from(text, encoding).toString('base64'),
      Buffer.from(text, encoding).toString('base64url'),
    ]),
  ),
]);

function expectClean(what: string, value: unknown): void {
  const text =
    typeof value === 'string' ? value : inspect(value, { depth: 12, maxStringLength: null, maxArrayLength: null });
  for (const told of [text, JSON.stringify(value) ?? '']) {
    for (const secret of FORBIDDEN) expect(told.includes(secret), `${what} tells ${secret}`).toBe(false);
  }
}

describe.each(THOROUGH_STORES)('%s: secrets that the system of an account echoes', (store, create) => {
  let world: PluginWorld;
  let muster: OperationsApp;
  let config: Partial<Config>;

  beforeEach(async () => {
    world = await PluginWorld.create(create);
    config = {
      PLUGINS: [await world.module('echo', echoingPlugin())],
      PLUGIN_OPTIONS: { 'echo-plugin': { token: SETTING } },
    };
    muster = await world.program(config);
  });
  afterEach(() => world.close());

  async function account(name: string, type: string, at: string): Promise<void> {
    const settings = { at, username: USER, api_token: TOKEN };
    await muster.run(addAccount, { name, type, password: PASSWORD, settings });
  }
  const job = (name: string, command: string, of: string) =>
    muster.run(createRule, {
      rule_type: 'cron_groups',
      rule: {
        name,
        enabled: true,
        interval: 'daily',
        run_once_next: true,
        jobs: [{ name: 'j', command, account: of }],
      },
    });

  // Where it is said is the same to every store.
  it.each(
    store === 'SQLite' ? ['open', 'read', 'first step', 'later step', 'skipped', 'refused'] : ['later step', 'skipped'],
  )('stay out of everything when a source tells them at: %s', async (at) => {
    await account('crm', 'echo', at);
    const failure = (error: unknown) => error;
    const imported = await muster.run(importAccount, { account: 'crm' }).catch(failure);
    expectClean('the answer of an import', imported);
    expect(inspect(imported, { depth: 8 })).toContain('refused: ****');
    expect(inspect(imported, { depth: 8 })).toContain('(status 401)');
    const tested = await muster.run(testAccount, { name: 'crm' }).catch(failure);
    // What it shows of records is data.
    expectClean('the test of an account', shownRecords(tested));
    await job('nightly', 'Import', 'crm');
    expectClean('a cron pass', await muster.run(runCronPass, {}));
    const request = await world.http(muster);
    expectClean('logs over REST', (await request('/api/v1/syncer/logs')).body);
    const command = await world.command(['import', 'crm'], config);
    expectClean('the command line', command.stdout + command.stderr);
    expectClean('the log of the service', world.log);
    expect(world.log.some(({ message }) => message.includes('refused: ****'))).toBe(at !== 'open' && at !== 'read');
    const tools = Entrances.beside(muster);
    const cookie = await tools.cookieOf('root');
    for (const operation of ['imports/import-account', 'accounts/test-account']) {
      const said = await tools.page(
        cookie,
        operation,
        operation.startsWith('i') ? { account: 'crm' } : { name: 'crm' },
      );
      expectClean(`the page of ${operation}`, shownRecords(said.body));
    }
    const logs = await tools.tool('root', 'get_recent_logs');
    expect(logs).toMatchObject({ ok: true });
    expectClean('a tool', logs.text);
    await tools.close();
    const file = join(world.folder, 'backup');
    await muster.run(backUp, { file });
    const text = backupText(await readFile(file));
    // Labels are data: the record that the source gave is in it as it was.
    const label = JSON.stringify(`uses ${PASSWORD}`).slice(1, -1);
    expectClean('a backup', text.replaceAll(label, ''));
    if (at === 'skipped' || at === 'refused') {
      const host = await muster.run(getHost, { hostname: 'web1' });
      expect(JSON.stringify(host)).toContain(label);
    }
  });

  it.each(store === 'SQLite' ? ['open', 'check', 'first step', 'skipped'] : ['first step'])(
    'stay out of everything when a target tells them at: %s',
    async (at) => {
      await account('out', 'echo_out', at);
      await muster.addAccounts('crm');
      await muster.run(saveHost, { hostname: 'web1', account: 'crm', labels: { a: '1' } });
      const exported = await muster.run(exportAccount, { account: 'out' }).catch((error: unknown) => error);
      expectClean('the answer of an export', exported);
      if (at !== 'check') expect(inspect(exported, { depth: 8 })).toContain('refused: ****');
      const tested = await muster.run(testAccount, { name: 'out' }).catch((error: unknown) => error);
      expectClean('the test of an account', tested);
      expectClean('the log of the service', world.log);
      const file = join(world.folder, 'backup');
      await muster.run(backUp, { file });
      expectClean('a backup', backupText(await readFile(file)));
    },
  );

  it('stay out of what is said of options, of the account and of the plugin', async () => {
    const wrong = muster.run(addAccount, { name: 'crm', type: 'echo', settings: { at: 'options', api_token: TOKEN } });
    const error = await wrong.catch((caught: unknown) => caught);
    expectClean('an option error', error);
    expect(inspect(error)).toContain('api_token refuses ********');
    const picky = echoingPlugin()
      .replaceAll('echo-plugin', 'picky-plugin')
      .replace(
        'register(host, given) {',
        'register(host, given) { throw new Error("no licence for " + btoa(given.token));',
      );
    const late = echoingPlugin()
      .replaceAll('echo-plugin', 'late-plugin')
      .replace(
        'register(host, given) {',
        'start() { throw new Error("late: " + this.token); }, register(host, given) { this.token = given.token; return;',
      );
    const settings = { token: SETTING, colour: 'red' };
    const broken = await world.program({
      PLUGINS: [await world.module('picky', picky), await world.module('late', late)],
      PLUGIN_OPTIONS: { 'picky-plugin': settings, 'late-plugin': settings },
    });
    const statuses = broken.app.services.plugins.statuses();
    expectClean('the state of plugins', statuses);
    expect(inspect(statuses)).toContain('no licence for ********');
    expect(inspect(statuses)).toContain('late: ********');
    expectClean('the log of the service', world.log);
  });

  it('are known by what the type says of an option, and come in by the standard input', async () => {
    const zod = pathToFileURL(join(ROOT, 'node_modules/zod/index.js')).href;
    const text = `import * as z from '${zod}';
      const pin = () => z.string().default('').meta({ secret: true });
      const refused = (what, pin) => { throw new Error(what + ' refuses ' + pin); };
      export default {
        id: 'shelf-plugin', apiVersion: 2,
        options: z.strictObject({ licence: pin() }),
        register(host, { licence }) {
          if (licence === 'wrong-licence') refused('the shelf', licence);
          host.source({ id: 'shelf', title: 'Shelf', description: 'S', options: z.strictObject({ site_key: pin() }),
            open: ({ site_key }) => ({ read: () => refused(licence, site_key) }) });
        },
      };`;
    const PLUGINS = [await world.module('shelf', text)];
    const shelf = { PLUGINS, PLUGIN_OPTIONS: { 'shelf-plugin': { licence: SETTING } } };
    const add = ['account', 'add', 'shelf', '--type', 'shelf', '--set-stdin', 'site_key'];
    expect(await world.command(add, shelf, `${TOKEN}\n`)).toMatchObject({ exitCode: 0 });
    const program = await world.program(shelf);
    const account = await program.app.services.accounts.byName('shelf');
    expect(account?.fields.get('site_key')).toMatchObject({ sealed: true });
    expectClean('the stored account', account?.record.document.text);
    expectClean('what is shown of it', (await world.command(['account', 'show', 'shelf', '--json'], shelf)).stdout);
    const imported = await program.run(importAccount, { account: 'shelf' }).catch((error: unknown) => error);
    expect(inspect(imported)).toContain('******** refuses ********');
    expectClean('an import', imported);
    expect(await program.run(listAccountTypes, {})).toMatchObject({
      types: expect.arrayContaining([
        expect.objectContaining({
          id: 'shelf',
          options: expect.objectContaining({ properties: { site_key: expect.objectContaining({ writeOnly: true }) } }),
        }),
      ]),
    });
    const unlicensed = await world.program({
      PLUGINS,
      PLUGIN_OPTIONS: { 'shelf-plugin': { licence: 'wrong-licence' } },
    });
    const statuses = unlicensed.app.services.plugins.statuses();
    expect(inspect(statuses)).toContain('the shelf refuses ********');
    const both = [...add, '--password-stdin'];
    expect(await world.command(both, shelf, 'x\n')).toMatchObject({ exitCode: 2 });
  });

  it('are hidden when they come from the parent, and short ones where they stand alone', async () => {
    const parent = { username: USER, api_token: INHERITED };
    await muster.run(addAccount, { name: 'above', type: 'echo', password: 'abc', settings: { ...parent, at: 'read' } });
    await muster.run(addAccount, { name: 'crm', type: 'echo', settings: { is_child: 'true', parent: 'above' } });
    const report = await muster.run(importAccount, { account: 'crm' }).catch((error: unknown) => error);
    expectClean('the answer of an import', report);
    expect(inspect(report, { depth: 8 })).toContain('refused: abc');
  });

  it('do not keep accounts and jobs of a plugin that is gone from failing with one sentence', async () => {
    await account('crm', 'echo', 'nothing');
    await account('out', 'echo_out', 'nothing');
    await job('nightly', 'Echo Job', 'crm');
    const gone = await world.program();
    for (const attempt of [
      () => gone.run(importAccount, { account: 'crm' }),
      () => gone.run(testAccount, { name: 'crm' }),
      () => gone.run(testAccount, { name: 'out' }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringMatching(
          /^account (crm|out) is of type echo(_out)?, which no plugin provides; known types: /,
        ),
      });
    }
    const exported = await gone.run(exportAccount, { account: 'out' });
    expect(exported).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('is of type echo_out, which no plugin provides'),
    });
    expect((await gone.run(runCronPass, {})).groups).toMatchObject([
      {
        state: 'failed',
        jobs: [{ failed: true, message: expect.stringContaining('"Echo Job" is not a registered job') }],
      },
    ]);
    expect(await muster.run(importAccount, { account: 'crm' })).toMatchObject({ status: 'done' });
  });
});

function backupText(bytes: Buffer): string {
  return (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString();
}

/** Without names and labels, which are data. */
function shownRecords(answer: unknown): unknown {
  if (answer instanceof Error) return answer;
  const { records } = answer as { records?: object[] };
  return records === undefined ? answer : records.map((record) => ({ ...record, labels: undefined }));
}
