import { randomBytes } from 'node:crypto';
import { type APIRequestContext, type APIResponse, test as base, request } from '@playwright/test';
import { startMongodbServer } from '../../test/support/mongodb-server.ts';
import { startPostgresqlServer } from '../../test/support/postgresql-server.ts';
import { RunningService } from './running-service.ts';
import { Workplace } from './workplace.ts';

export { expect } from '@playwright/test';

export const PASSWORD = 'correct horse battery';

export type StorageKind = 'sqlite' | 'postgresql' | 'mongodb';

/** Of the password above; hashing it for each user of each service would take longer than many a test. */
const PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$D83QeoF8u3K2vesrEkmGXw$wcTIcGVFhWP+dY+J3yCpUGF5vaAhd2ybg0hn+7pSXns';

/** Users of every service of these tests, by name, with members of their documents. */
const USERS: Readonly<Record<string, object>> = {
  root: { api_roles: ['all'], global_admin: true },
  reader: { api_roles: ['all'], readonly: true },
  objects: { api_roles: ['objects'] },
  rules: { api_roles: ['rules'] },
  syncer: { api_roles: ['syncer'] },
  automation: { api_roles: ['automation'] },
  scoped: { api_roles: ['all'], restrict_to_accounts: ['crm'] },
  pager: { api_roles: ['all'], restrict_to_accounts: ['pages'] },
};

const ACCOUNTS = ['crm', 'dcim', 'pages'];

interface ApiService {
  readonly place: Workplace;
  readonly running: RunningService;
}

interface WorkerFixtures {
  readonly storageKind: StorageKind;
  readonly databaseServer: string | undefined;
  readonly service: ApiService;
}

interface TestFixtures {
  /** Requests of user root, who may do everything. */
  readonly api: Api;
  /** Requests of another user. */
  readonly as: (user: string) => Promise<Api>;
  /** Requests without credentials, or with headers of the test's own. */
  readonly anonymous: Api;
  /** A hostname that no other test uses. */
  readonly name: (suffix?: string) => string;
  /** A workplace with users root and reader and account crm, and nothing running in it. */
  readonly freshPlace: (environment?: Record<string, string>) => Promise<Workplace>;
}

/** Tests of the API against the built program; which storage stands behind it is an option of the project. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  storageKind: ['sqlite', { option: true, scope: 'worker' }],
  databaseServer: [
    async ({ storageKind }, use) => {
      if (storageKind === 'sqlite') return use(undefined);
      const server = await (storageKind === 'postgresql' ? startPostgresqlServer() : startMongodbServer());
      await use(server.url);
      await server.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  service: [
    async ({ databaseServer }, use) => {
      const place = await preparePlace(databaseServer, {
        SERVICE_CMDB_MODE: '1',
        SERVICE_RATE_LIMIT_401_PER_MINUTE: '0',
        SERVICE_MAX_BODY_BYTES: String(8 * 1024 * 1024),
      });
      const running = await RunningService.start(place);
      await use({ place, running });
      await running.stop();
      await place.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  api: async ({ as }, use) => use(await as('root')),
  as: async ({ service }, use) => {
    const opened: Api[] = [];
    await use(async (user) => {
      const api = await Api.open(service.running.url, basic(user, PASSWORD));
      opened.push(api);
      return api;
    });
    await Promise.all(opened.map((api) => api.close()));
  },
  anonymous: async ({ service }, use) => {
    const api = await Api.open(service.running.url);
    await use(api);
    await api.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  name: async ({}, use) => {
    const start = `t${randomBytes(5).toString('hex')}`;
    await use((suffix = '') => `${start}${suffix}`);
  },
  freshPlace: async ({ databaseServer }, use) => {
    const places: Workplace[] = [];
    await use(async (environment = {}) => {
      const place = await preparePlace(databaseServer, environment, { users: ['root', 'reader'], accounts: ['crm'] });
      places.push(place);
      return place;
    });
    await Promise.all(places.map((place) => place.close()));
  },
});

async function preparePlace(
  databaseServer: string | undefined,
  environment: Record<string, string>,
  contents: { users: readonly string[]; accounts: readonly string[] } = {
    users: Object.keys(USERS),
    accounts: ACCOUNTS,
  },
): Promise<Workplace> {
  const database = databaseServer === undefined ? {} : { SERVICE_DATABASE_URL: databaseOf(databaseServer) };
  const place = await Workplace.create({ ...database, ...environment });
  const users = Object.fromEntries(contents.users.map((name) => [name, USERS[name] ?? {}]));
  await addUsers(place, users, contents.accounts);
  return place;
}

/** Users with the password of these tests, and accounts that are written through the interface, all by one command. */
export async function addUsers(
  place: Workplace,
  users: Readonly<Record<string, object>>,
  accounts: readonly string[],
): Promise<void> {
  const rules = {
    accounts: accounts.map((name) => ({ name, type: 'api', enabled: true })),
    users: Object.entries(users).map(([name, members]) => ({ name, pwdhash: PASSWORD_HASH, ...members })),
  };
  await place.done(['rules', 'import', '-'], { input: JSON.stringify({ rules }) });
}

/** The address of a database of the server that nobody else has; in PostgreSQL that is a schema. */
export function databaseOf(server: string): string {
  const url = new URL(server);
  const name = `muster_${randomBytes(6).toString('hex')}`;
  if (url.protocol === 'postgresql:') {
    url.searchParams.set('sslmode', 'disable');
    url.searchParams.set('schema', name);
  } else url.pathname = `/${name}`;
  return url.href;
}

export function basic(name: string, password: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` };
}

/** An answer with its body read. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  readonly body: any;
}

/** Paths are given below `/api/v1`, or in full when they begin with another word. */
export class Api {
  readonly #context: APIRequestContext;

  private constructor(context: APIRequestContext) {
    this.#context = context;
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<Api> {
    return new Api(
      await request.newContext({ baseURL: url, extraHTTPHeaders: headers, ignoreHTTPSErrors: true, timeout: 30_000 }),
    );
  }

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.send('POST', path, body, headers);
  }

  delete(path: string, body?: unknown): Promise<Answer> {
    return this.send('DELETE', path, body);
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await this.#context.fetch(fullPath(path), {
      method,
      headers,
      maxRedirects: 0,
      ...(body === undefined ? {} : { data: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(body === undefined || 'content-type' in headers
        ? {}
        : { headers: { 'content-type': 'application/json', ...headers } }),
    });
    return readAnswer(answer);
  }

  /** Saves a host that must be saved. */
  async save(hostname: string, account: string, labels: object = {}): Promise<void> {
    const answer = await this.post(`/objects/${encodeURIComponent(hostname)}`, { account, labels });
    if (answer.status !== 200) throw new Error(`host ${hostname} was not saved: ${answer.text}`);
  }

  close(): Promise<void> {
    return this.#context.dispose();
  }
}

function fullPath(path: string): string {
  return /^\/(objects|rules|syncer|inventory|ansible)(\/|\?|$)/.test(path) ? `/api/v1${path}` : path;
}

async function readAnswer(answer: APIResponse): Promise<Answer> {
  const text = await answer.text();
  const json = (answer.headers()['content-type'] ?? '').includes('json') && text !== '';
  return { status: answer.status(), headers: answer.headers(), text, body: json ? JSON.parse(text) : undefined };
}
