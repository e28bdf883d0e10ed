import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/app/kernel/caller.ts';
import { listPlaybookRuns } from '../../src/app/playbooks/operations/list-runs.ts';
import { showPlaybookRun } from '../../src/app/playbooks/operations/show-run.ts';
import { type JsonObject, StoredJson } from '../../src/ports/index.ts';
import { type HttpService, PASSWORD, startHttpService } from '../adapters/http/http-service.ts';

const BEGINNING = Date.parse('2026-03-01T12:00:00Z');

let service: HttpService;
let now: number;

/** Each write is a minute after the last one. */
function at(): Date {
  now += 60_000;
  return new Date(now);
}

async function save(account: string, labels: JsonObject, by: string): Promise<void> {
  const known = await service.services.accounts.list(null);
  const id = known.find(({ name }) => name === account)?.id ?? '';
  await service.storage.hosts.saveLabels({
    account: { id, isObject: false, objectType: 'host' },
    entries: [{ hostname: 'web01', labels: StoredJson.ofValue(labels as never) }],
    at: at(),
    actor: { kind: 'user', name: by },
    takeOver: true,
  });
}

async function note(text: string, by: string): Promise<void> {
  await service.storage.hosts.saveInventory({
    entries: [{ hostname: 'web01', key: 'hw', section: StoredJson.ofValue({ note: text }) }],
    scope: null,
    at: at(),
    actor: { kind: 'user', name: by },
  });
}

beforeEach(async () => {
  now = BEGINNING;
  service = await startHttpService({ config: { INSTANCE_KEY: '22'.repeat(32) }, clock: { now: () => new Date(now) } });
  await service.addAccount('sales');
  const api_roles = ['objects', 'automation', 'mcp'];
  await service.addUser('old-reader', { api_roles, restrict_to_accounts: ['crm'] });
  await service.addUser('new-reader', { api_roles, restrict_to_accounts: ['sales'] });
  await service.addUser('both', { api_roles, restrict_to_accounts: ['crm', 'sales'] });
  await service.addUser('reader', { api_roles });
  await save('crm', { owner: 'past-1', secret: 'past-2' }, 'past-writer');
  await save('crm', { owner: 'past-3', secret: 'past-2' }, 'past-writer');
  await note('past-4', 'past-writer');
  await note('kept', 'past-writer');
  await save('sales', { owner: 'moved' }, 'mover');
  await save('sales', { owner: 'changed' }, 'present-writer');
});
afterEach(() => service.stop());

async function told(user: string, url: string) {
  const answer = await service.request({ url: `/api/v1${url}`, user });
  expect([answer.statusCode, answer.body]).toEqual([200, answer.body]);
  return { text: answer.body, ...answer.json() };
}

const SINCE = [
  ['user:present-writer', [{ path: 'labels.owner', before: 'moved', after: 'changed' }]],
  ['user:mover', [{ path: 'account', after: expect.any(String) }]],
];
const actsOf = ({ changes }: { changes: { by: string; changes: unknown }[] }) => {
  return changes.map(({ by, changes: values }) => [by, values]);
};

const ANSWERS = [
  '/objects/web01/history',
  '/objects/web01/history?limit=4',
  '/changes',
  '/changes?limit=1',
  '/changes?limit=3',
  '/changes?field=labels',
  '/changes?field=secret',
  '/changes?field=inventory',
  '/changes?by=user:past-writer',
  '/changes?kind=inventory',
  '/changes?until=2026-03-01T12:04:30Z',
  '/changes?until=2026-03-01T12:05:00Z',
  '/changes?where=owner:changed',
];

describe('what a host was before it went to another account', () => {
  it.each(ANSWERS)('is not told to users of the new account by %s', async (url) => {
    expect((await told('new-reader', url)).text).not.toMatch(/past/);
  });

  it('is told from then on', async () => {
    expect(actsOf(await told('new-reader', '/objects/web01/history'))).toEqual(SINCE);
    expect(actsOf(await told('new-reader', '/changes'))).toEqual(SINCE);
  });

  it.each(['reader', 'both', 'root'])('is told to %s, who reaches both accounts', async (user) => {
    for (const url of ['/objects/web01/history', '/changes', '/changes/feed?since=start']) {
      expect((await told(user, url)).text).toContain('past-3');
    }
  });

  it('is found by filters for who reaches both accounts, and by none of them for others', async () => {
    for (const [user, found] of [
      ['new-reader', 0],
      ['reader', 2],
    ] as const) {
      for (const query of ['by=user:past-writer&kind=inventory', 'field=inventory']) {
        expect((await told(user, `/changes?${query}`)).changes).toHaveLength(found);
      }
      expect((await told(user, '/changes?field=secret')).changes).toHaveLength(found / 2);
    }
  });

  it('keeps runs of playbooks from before the move for those who reached the host then', async () => {
    const run = (id: string, startedAt: Date) =>
      service.storage.playbooks.begin({
        id: id.repeat(24),
        playbook: 'x.yml',
        provider: 'automation',
        hostname: 'web01',
        checkMode: false,
        source: 'user',
        startedBy: 'past-writer',
        startedAt,
        leaseMs: 1000,
      });
    await run('1', new Date(BEGINNING + 90_000));
    await run('2', at());
    const seen = async (user: string) => {
      const identity = await service.services.users.authenticate({ kind: 'password', name: user, password: PASSWORD });
      const caller = { ...identity, entrance: 'rest', address: '', requestId: 'test', path: 'test' } as Caller;
      const { runs } = await service.executor.value(listPlaybookRuns, { kind: 'value', value: {} }, caller);
      const shown = await service.executor
        .value(showPlaybookRun, { kind: 'value', value: { run: '1'.repeat(24) } }, caller)
        .then(
          ({ id }) => id,
          ({ code }) => code,
        );
      return [runs.map(({ id }) => id[0]), shown];
    };
    expect(await seen('new-reader')).toEqual([['2'], 'not_found']);
    expect(await seen('both')).toEqual([['2', '1'], '1'.repeat(24)]);
  });

  it('stays hidden when the host was renamed since, and when it went on to a third account and back', async () => {
    const actor = { kind: 'user', name: 'mover' } as const;
    await service.storage.hosts.rename({ hosts: [{ from: 'web01', to: 'web02' }], at: at(), actor });
    expect((await told('new-reader', '/objects/web02/history')).text).not.toMatch(/past/);
    expect((await told('new-reader', '/changes')).text).not.toMatch(/past/);
    await service.storage.hosts.rename({ hosts: [{ from: 'web02', to: 'web01' }], at: at(), actor });
    await service.addAccount('third');
    await save('third', { owner: 'past-third' }, 'taker');
    await save('sales', { owner: 'back' }, 'mover');
    for (const url of ANSWERS) expect((await told('new-reader', url)).text).not.toMatch(/past/);
  });

  it('is no part of since when values are what they are, nor of inventories of another time', async () => {
    const since = await told('new-reader', '/objects/web01/values-since');
    expect(since.text).not.toMatch(/past|12:0[1-4]/);
    const then = await told('new-reader', '/inventory/automation/automation/changes?since=2026-03-01T12:02:30');
    expect(then.text).not.toMatch(/past/);
    expect(then.details).toMatchObject([{ hostname: 'web01', change: 'added' }]);
  });
});
