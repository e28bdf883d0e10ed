import { afterEach, beforeEach, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { saveHostsBulk } from '../../../src/app/hosts/operations/save-hosts-bulk.ts';
import type { Caller } from '../../../src/app/kernel/caller.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { listSavedSearches } from '../../../src/app/search/operations/list-saved-searches.ts';
import { saveSearch } from '../../../src/app/search/operations/save-search.ts';
import { sendSearches } from '../../../src/app/search/operations/send-searches.ts';
import { changeUser } from '../../../src/app/users/operations/change-user.ts';
import type { Notification } from '../../../src/ports/index.ts';
import { OperationsApp } from './operations-app.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });

let muster: OperationsApp;
let red: Caller;

beforeEach(async () => {
  const storage = memoryStorage()({ clock: { now: () => new Date('2026-03-01T08:00:00Z') } });
  await storage.start();
  muster = await OperationsApp.over(storage);
  await muster.addAccounts('red', 'blue');
  await muster.run(addAccount, { name: 'hook', type: 'webhook', settings: { url: 'http://127.0.0.1:9/' } });
  const host = (hostname: string, site: string) => ({ hostname, labels: { site, rack: '=1+1' } });
  await muster.run(saveHostsBulk, { account: 'red', objects: [host('web1', 'fra'), host('web2', 'ber')] });
  await muster.run(saveHostsBulk, { account: 'blue', objects: [host('db1', 'fra')] });
  red = await muster.addCaller('red-operator', { roles: ['objects'], accounts: ['red'] });
  await muster.addCaller('everything', { roles: ['all'] });
});
afterEach(() => muster.stop());

/** Notifications that wait to be sent. */
async function waiting(): Promise<readonly Notification[]> {
  const found: Notification[] = [];
  for (;;) {
    const message = await muster.storage.outbox.claim({ holder: 'test', leaseMs: 60_000 });
    if (message === undefined) return found;
    found.push(JSON.parse(message.body) as Notification);
    await muster.storage.outbox.settle({ id: message.id, holder: 'test', outcome: { state: 'sent' } });
  }
}

it('sends reports and lists as files, with the hosts that their owners may see', async () => {
  const everything = await muster.callerOf('everything');
  await muster.run(saveSearch, { name: 'All by site', rows: 'site', by: 'account', send_to: 'hook' }, everything);
  await muster.run(saveSearch, { name: 'my / hosts', columns: 'site,rack', sort: 'site', send_to: 'hook' }, everything);
  // Of accounts beyond the reach of a user nothing is told, not even their types.
  for (const send_to of ['hook', 'blue', 'nobody'])
    await expect(muster.run(saveSearch, { name: 'mine', rows: 'site', send_to }, red)).rejects.toEqual(
      code('not_found'),
    );
  expect(await muster.run(sendSearches, { receiver: 'hook' })).toEqual({
    sent: ['All by site', 'my / hosts'],
    failed: [],
  });
  const [report, list] = await waiting();
  expect(report).toMatchObject({ event: 'report', subject: 'All by site', title: 'All by site: 3 hosts' });
  expect(report?.text).toBe('fra: 2\nber: 1');
  expect(report?.attachment).toEqual({
    name: 'All-by-site.csv',
    mediaType: 'text/csv; charset=utf-8',
    text: 'site,hosts,red,blue\r\nfra,2,1,1\r\nber,1,1,0\r\n',
  });
  // A spreadsheet must take a value for no formula.
  expect(list?.attachment).toMatchObject({
    name: 'my-hosts.csv',
    text: "name,site,rack\r\nweb2,ber,'=1+1\r\ndb1,fra,'=1+1\r\nweb1,fra,'=1+1\r\n",
  });
});

it('sends what an owner with fewer rights may see now, and nothing of an owner who may not log in', async () => {
  const operator = await muster.addCaller('operator-2', { roles: ['objects'] });
  await muster.run(saveSearch, { name: 'hosts', rows: 'account', send_to: 'hook' }, operator);
  await muster.run(changeUser, { name: 'operator-2', accounts: ['red'] });
  expect(await muster.run(sendSearches, { receiver: 'hook' })).toMatchObject({ sent: ['hosts'] });
  expect((await waiting()).map(({ text }) => text)).toEqual(['red: 2']);
  await muster.run(changeUser, { name: 'operator-2', roles: ['rules'] });
  const { sent, failed } = await muster.run(sendSearches, { receiver: 'hook' });
  expect([sent, failed]).toEqual([
    [],
    [{ name: 'hosts', owner: 'operator-2', error: expect.stringContaining('may not see hosts') }],
  ]);
  await muster.run(changeUser, { name: 'operator-2', disabled: true });
  expect((await muster.run(sendSearches, { receiver: 'hook' })).failed).toMatchObject([
    { error: expect.stringContaining('may not log in') },
  ]);
  expect(await waiting()).toEqual([]);
});

it('sends nothing with the rights of a user who did not save it', async () => {
  const author = await muster.addCaller('author', { roles: ['rules'] });
  const forged = {
    name: 'forged',
    path: '/admin/hosts',
    query_string: 'rows=site&send_to=hook',
    owner_email: 'everything',
    shared: false,
  };
  await muster.run(importRules, { rules: { saved_searches: [forged] } }, author);
  const { sent, failed } = await muster.run(sendSearches, { receiver: 'hook' });
  expect(sent).toEqual([]);
  expect(failed).toMatchObject([
    { name: 'forged', owner: 'everything', error: expect.stringContaining('someone else') },
  ]);
  expect(await waiting()).toEqual([]);
});

it('lets no one send more than they may see themselves', async () => {
  const everything = await muster.callerOf('everything');
  const limited: Caller = { ...everything, token: { prefix: 'muster_1', limited: true } };
  const search = { name: 'all', rows: 'site', send_to: 'hook' };
  await expect(muster.run(saveSearch, search, limited)).rejects.toEqual(code('forbidden'));
  const ofTemplates: Caller = { ...everything, templates: ['linux'], templateNames: ['linux'] };
  await expect(muster.run(saveSearch, search, ofTemplates)).rejects.toEqual(code('not_found'));
  await muster.run(saveSearch, { name: 'all', rows: 'site' }, limited);
  expect(await muster.run(sendSearches, { receiver: 'hook' })).toEqual({ sent: [], failed: [] });
});

it('says in the message what a report leaves out', async () => {
  const everything = await muster.callerOf('everything');
  const objects = Array.from({ length: 201 }, (_, at) => ({ hostname: `many${at}`, labels: { serial: `s${at}` } }));
  await muster.run(saveHostsBulk, { account: 'red', objects });
  await muster.run(saveSearch, { name: 'serials', rows: 'serial', send_to: 'hook' }, everything);
  await muster.run(sendSearches, { receiver: 'hook' });
  expect((await waiting())[0]?.text).toMatch(/^Only the 200 most frequent values are listed\.\n/);
});

it('names a search that cannot be made, and sends the others', async () => {
  const everything = await muster.callerOf('everything');
  await muster.run(saveSearch, { name: 'a', rows: 'site', account: 'gone', send_to: 'hook' }, everything);
  await muster.run(saveSearch, { name: 'b', rows: 'site', send_to: 'hook' }, everything);
  expect(await muster.run(sendSearches, { receiver: 'hook' })).toMatchObject({
    sent: ['b'],
    failed: [{ name: 'a', error: expect.stringContaining('gone') }],
  });
  await expect(muster.run(sendSearches, { receiver: 'red' })).rejects.toEqual(code('invalid_input'));
  await expect(muster.run(sendSearches, { receiver: 'nowhere' })).rejects.toEqual(code('not_found'));
  await expect(muster.run(saveSearch, { name: 'c', by: 'site' }, everything)).rejects.toEqual(code('invalid_input'));
  await expect(muster.run(saveSearch, { name: 'c', rows: 'site', send_to: 'hook' })).rejects.toEqual(
    code('invalid_input'),
  );
});

it('lists how a search is shown', async () => {
  await muster.run(saveSearch, { name: 'tile', where: 'site:fra', dashboard: 'Night shift', show: 'number' }, red);
  expect((await muster.run(listSavedSearches, {}, red)).searches).toEqual([
    expect.objectContaining({ name: 'tile', dashboard: 'Night shift', show: 'number' }),
  ]);
});
