import { gzipSync } from 'node:zlib';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../src/adapters/cli/run.ts';
import { memoryStorage } from '../../src/adapters/storage/memory/storage.ts';
import { OPERATIONS } from '../../src/app/catalogue/operations.ts';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import type { CommandEntry, RestEntry } from '../../src/app/kernel/entrances.ts';
import type { AnyOperation, StreamOperation, ValueOperation } from '../../src/app/kernel/operation.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { fakeTerminal } from '../adapters/cli/fake-terminal.ts';
import { OperationsApp } from '../app/operations/operations-app.ts';
import { type Attempt, Entrances } from '../security/support/entrances.ts';
import { LOGGED, PLAN, RUN, SAMPLES } from './samples.ts';

/** Every operation at every entrance that it names: the same refusals, and for reads the same answer. */

type Named = readonly [name: string, operation: AnyOperation];
const named = (fits: (operation: AnyOperation) => boolean): Named[] =>
  OPERATIONS.filter(fits).map((operation) => [operation.name, operation]);

const UNUSED = '0'.repeat(24);
let storage: ReturnType<ReturnType<typeof memoryStorage>>;
let entrances: Entrances;
let root: string;

beforeAll(async () => {
  storage = memoryStorage()({ clock: { now: () => new Date() } });
  await storage.start();
  const muster = await OperationsApp.over(storage, {
    CMDB_MODE: true,
    PLAYBOOK_DIR: 'ansible',
    BACKUP_DIR: '/nonexistent',
    RATE_LIMIT_401_PER_MINUTE: 0,
  });
  entrances = Entrances.beside(muster);
  await muster.addAccounts('crm');
  await muster.run(saveHost, { hostname: 'web1', account: 'crm', labels: { site: 'here' } });
  await muster.run(importRules, {
    rules: {
      cron_groups: [{ name: 'nightly', enabled: false, jobs: [{ command: 'Maintenance' }] }],
      automation_filter: [{ name: 'r', enabled: true, condition_typ: 'anyway', outcomes: [] }],
      automation_projects: [{ name: 'p', enabled: true }],
    },
  });
  await muster.addCaller('root', { roles: ['all', 'mcp'], admin: true });
  await muster.addCaller('reader', { roles: ['all', 'mcp'], admin: true, read_only: true });
  await muster.addCaller('roleless', { roles: ['metrics'] });
  root = await entrances.cookieOf('root');
  await entrances.cookieOf('reader');
  const at = new Date();
  await storage.logs.append({ id: UNUSED, at, source: 'nightly tidy', message: 'done', details: [], hasError: false });
  const logged = { id: RUN, at: LOGGED, source: 'import:crm', message: 'Import of crm done: x' };
  await storage.logs.append({ ...logged, details: [], hasError: false });
  await storage.playbooks.begin({
    id: RUN,
    playbook: 'x.yml',
    provider: 'automation',
    hostname: 'web1',
    checkMode: false,
    source: 'user',
    startedBy: 'root',
    startedAt: at,
    leaseMs: 60_000,
  });
  const crm = await storage.rules.list('accounts');
  const text = gzipSync('[]').toString('base64');
  const file = {
    name: 'hosts.json',
    contentType: 'application/json',
    digest: 'd'.repeat(64),
    size: 2,
    publishedAt: at,
  };
  for (const { id } of crm) await storage.published.replace(id, [{ ...file, body: text }]);
  await storage.plans.begin({
    id: PLAN,
    accountId: UNUSED,
    account: 'there',
    madeBy: 'root',
    madeAt: at,
    basis: { hosts: 1, rules: '' },
    holder: 'nobody',
    leaseMs: 600_000,
    isExclusive: false,
  });
});

afterAll(async () => {
  await entrances.close();
  await entrances.muster.stop();
  await storage.stop();
});

/** The request that carries this input: members of the path and the query there, the rest in the body. */
function requestOf({ path: declared, query = [], body, bodyMember }: RestEntry, input: object): InjectOptions {
  const [method, path] = declared.split(' ') as ['GET', string];
  const left = new Map<string, unknown>(Object.entries(input));
  const take = (name: string): string => {
    const value = left.get(name) ?? UNUSED;
    left.delete(name);
    return String(value);
  };
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(take(name)));
  const given = query.filter((name) => left.has(name)).map((name): [string, string] => [name, take(name)]);
  const url = `/api/v1${filled}?${new URLSearchParams(given)}`;
  if (body === undefined) return { method, url };
  return {
    method,
    url,
    payload: (bodyMember === undefined ? Object.fromEntries(left) : left.get(bodyMember)) as object,
  };
}

/** What the operation comes to for one user at each entrance with a user that it names. */
async function attempts(operation: AnyOperation, user: string, input: object): Promise<Map<string, Attempt>> {
  const { rest, page, tool } = operation.at;
  const found = new Map<string, Attempt>();
  if (rest !== undefined && rest.anonymous !== true)
    found.set('rest', await entrances.rest(user, requestOf(rest, input)));
  if (page === true) found.set('page', await entrances.page(await entrances.cookieOf(user), operation.name, input));
  if (tool !== undefined) found.set('tool', await entrances.tool(user, tool.name, { ...input }));
  return found;
}

function sampleOf({ name }: AnyOperation): Record<string, unknown> {
  return { ...SAMPLES[name] };
}

describe('refusals', () => {
  it.each(named(isForUsers))('%s is refused without its role wherever it appears', async (_, operation) => {
    for (const [entrance, attempt] of await attempts(operation, 'roleless', sampleOf(operation))) {
      expect([entrance, attempt.code]).toEqual([entrance, 'role_missing']);
    }
  });

  it.each(named((operation) => isForUsers(operation) && operation.effect !== 'read'))(
    '%s is refused to a read-only user wherever it appears',
    async (_, operation) => {
      for (const [entrance, attempt] of await attempts(operation, 'reader', sampleOf(operation))) {
        expect([entrance, attempt.code]).toEqual([entrance, 'read_only']);
      }
    },
  );
});

/** What users hold decides, and not the operation itself. */
function isForUsers({ roles }: AnyOperation): boolean {
  return roles !== 'decided-by-operation' && roles.length > 0 && !roles.includes('metrics');
}

const isRead = ({ effect, name }: AnyOperation): boolean => effect === 'read' && !ELSEWHERE.has(name);
/** Of the caller's own session; and what needs a system outside, which its own suite has. */
const ELSEWHERE = new Set([
  // Without an end.
  'hosts/stream-changes',
  'users/list-own-sessions',
  'accounts/test-account',
  'logins/test-method',
  // How things are at one moment.
  'system/support-bundle',
  // A CSV file, which the suite of users reads.
  'users/user-table',
  // Bytes, which the suite of kept backups compares.
  'storage/read-backup',
]);

describe('answers', () => {
  it.each(named(isRead))('%s answers the same wherever it appears', async (_, operation) => {
    const input = sampleOf(operation);
    const answer = await answerOf(operation, input);
    const { rest, page, tool, command } = operation.at;
    if (rest !== undefined) {
      const shown = rest.answer === undefined ? answer : rest.answer(answer);
      expect(plain((await entrances.rest('root', requestOf(rest, input))).body)).toEqual(plain(shown));
    }
    if (page === true) expect(plain((await entrances.page(root, operation.name, input)).body)).toEqual(plain(answer));
    if (tool !== undefined) expect((await entrances.tool('root', tool.name, { ...input })).ok).toBe(true);
    for (const entry of [command ?? []].flat()) {
      const shown = entry.answered === undefined ? answer : entry.answered(answer, input);
      expect(plain(JSON.parse(await commandLine(entry, input)))).toEqual(plain(shown));
    }
  });
});

async function answerOf(operation: AnyOperation, input: object): Promise<unknown> {
  const caller = { ...(await entrances.muster.callerOf('root')), entrance: 'admin' as const };
  // One operation belongs to the tool server alone.
  const by = operation.roles.includes('mcp') ? { ...caller, entrance: 'mcp' as const } : caller;
  return operation.answer === 'stream'
    ? entrances.muster.read(operation as StreamOperation, input, by)
    : entrances.muster.run(operation as ValueOperation, input, by);
}

/** What the command prints with `--json`. */
async function commandLine(entry: CommandEntry<unknown, unknown>, input: Record<string, unknown>): Promise<string> {
  const given = Object.keys(entry.arguments ?? {}).flatMap((member) =>
    member in input ? [String(input[member])] : [],
  );
  const options = Object.entries(entry.options ?? {}).flatMap(([member, { flags }]) =>
    member in input ? [flags.split(' ')[0] as string, String(input[member])] : [],
  );
  const fake = fakeTerminal();
  const { app } = entrances.muster;
  const open = async () => ({
    ...app,
    inventoryProvider: undefined,
    inventoryHost: undefined,
    inventoryHosts: undefined,
    stop: async () => undefined,
  });
  const code = await runCli([...entry.words.split(' '), ...given, ...options, '--json'], fake.terminal, {
    version: '0',
    open,
  });
  expect([code, fake.stderr()]).toEqual([0, '']);
  return fake.stdout();
}

/** Without what differs from one moment to the next. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, member) => (CHANGING.has(name) ? undefined : member));
}

const CHANGING: ReadonlySet<string> = new Set([
  // Of upcoming runs: a second may begin between two answers.
  'from',
  'until',
  'exported_at',
  'took_ms',
  'last_used',
  'free_bytes',
  'message',
  // Pages alone get the parts of a message, for other languages.
  'wording',
  'detail',
  'made_at',
  'read_at',
  'resident_bytes',
  'uptime_seconds',
]);
