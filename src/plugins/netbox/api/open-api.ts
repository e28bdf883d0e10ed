import { type HttpAccountServices, httpClientOf } from '../../../kit/http-account/client.ts';
import type { HttpAccountOptions } from '../../../kit/http-account/options.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { type Said, worded } from '../../../kit/worded.ts';
import {
  AppError,
  type HttpClient,
  type HttpContext,
  type JsonObject,
  type JsonValue,
  type SourceAccount,
} from '../../../ports/index.ts';
import type { Endpoint } from './endpoints.ts';
import { pages, type Query } from './pages.ts';

/** A NetBox that was reached and let us in. */
export interface NetBoxApi {
  readonly version: NetBoxVersion;
  /** Paths are below `/api/`. */
  readonly http: HttpClient;
  /** Every page of a list, in the order of the ids. */
  list(request: ListRequest, context: HttpContext): AsyncGenerator<readonly JsonObject[], void, undefined>;
  /**
   * Returns the number of objects in a list, and the time of the newest change to one by the clock of NetBox; empty if there is
   * none. `undefined` for a list that does not exist, or that the token may not see.
   */
  newest(path: string, context: HttpContext): Promise<{ readonly count: number; readonly newest: string } | undefined>;
  /** Whose token it is; absent where NetBox does not say. */
  user(context: HttpContext): Promise<string | undefined>;
  /** Whether the token may see objects of a list. */
  maySee(endpoint: Pick<Endpoint, 'path'>, context: HttpContext): Promise<boolean>;
}

interface ListRequest {
  readonly path: string;
  readonly query: Query;
  readonly size: number;
}

/** Connects, and asks for the version. Throws what is wrong with address, token or connection. Close `http` when done. */
export async function openApi(
  options: HttpAccountOptions,
  account: SourceAccount,
  services: HttpAccountServices,
  context: HttpContext,
): Promise<NetBoxApi> {
  const http = await httpClientOf(withToken(options, account), account, services, context);
  try {
    const version = await versionAt(http, context);
    const hasCursor = isAtLeast(version, 4, 7);
    return {
      version,
      http,
      list: (request, inner) => pages(http, { ...request, hasCursor }, inner),
      newest: (path, inner) => newestOf(http, path, inner),
      user: (inner) => userOf(http, inner),
      maySee: async ({ path }, inner) => {
        const { status } = await http.json({ path, query: { limit: 1, fields: 'id' }, accept: [403] }, inner);
        return status !== 403;
      },
    };
  } catch (error) {
    await http.close();
    throw error;
  }
}

const REFUSED = [403, 404];

async function newestOf(http: HttpClient, path: string, context: HttpContext) {
  const query = { limit: 1, ordering: '-last_updated', fields: 'id,last_updated' };
  const { status, value } = await http.json({ path, query, accept: REFUSED }, context);
  if (REFUSED.includes(status)) return undefined;
  const { count, results } = isJsonObject(value) ? value : {};
  const [first] = Array.isArray(results) ? (results as readonly JsonValue[]) : [];
  const newest = isJsonObject(first) ? first.last_updated : undefined;
  return { count: typeof count === 'number' ? count : 0, newest: typeof newest === 'string' ? newest : '' };
}

/** Tokens of the second kind say so, and log in with another word than those of the first. */
function withToken(options: HttpAccountOptions, { address, password }: SourceAccount): HttpAccountOptions {
  const url = apiAddress(options.url ?? address);
  if (options.auth !== undefined || password === '') return { ...options, ...(url === '' ? {} : { url }) };
  const scheme = password.startsWith('nbt_') ? 'Bearer' : 'Token';
  return { ...options, url, auth: 'header', auth_header: `Authorization: ${scheme}` };
}

/** `https://netbox.example.org` as well as `https://netbox.example.org/api/`. */
export function apiAddress(address: string): string {
  const base = address.trim().replace(/\/+$/, '');
  return base === '' || /\/api$/.test(base) ? base : `${base}/api`;
}

async function versionAt(http: HttpClient, context: HttpContext): Promise<NetBoxVersion> {
  const { value, status } = await http.json({ path: 'status/', accept: [403] }, context);
  if (status === 403) {
    throw new AppError(
      'failed',
      worded`NetBox refuses the token: ${{ reason: detailOf(value) }}; check the password of the account`,
    );
  }
  const text = isJsonObject(value) ? value['netbox-version'] : undefined;
  if (typeof text === 'string') return versionOf(text);
  throw new AppError(
    'failed',
    worded`what answers at status/ is not a NetBox; the address must be that of one, without /api`,
  );
}

function detailOf(value: JsonValue | undefined): Said {
  const detail = isJsonObject(value) ? value.detail : undefined;
  return typeof detail === 'string' ? detail.slice(0, 200) : worded`it answers 403`;
}

/**
 * NetBox reports the user directly since 4.5; before, it follows from the tokens that a user may see, which are usually their
 * own.
 */
async function userOf(http: HttpClient, context: HttpContext): Promise<string | undefined> {
  const check = await http.json({ path: 'authentication-check/', accept: [403, 404] }, context);
  const name = isJsonObject(check.value) ? check.value.username : undefined;
  if (typeof name === 'string') return name;
  const query = { limit: 100 };
  const tokens = await http.json({ path: 'users/tokens/', query, accept: [403, 404] }, context);
  const results = isJsonObject(tokens.value) ? tokens.value.results : undefined;
  const users = Array.isArray(results) ? (results as readonly JsonValue[]).flatMap(usernameOf) : [];
  return new Set(users).size === 1 ? users[0] : undefined;
}

function usernameOf(token: JsonValue): readonly string[] {
  const user = isJsonObject(token) ? token.user : undefined;
  const name = isJsonObject(user) ? user.username : undefined;
  return typeof name === 'string' ? [name] : [];
}

/** A release of NetBox: `4.7`. */
export interface NetBoxVersion {
  readonly major: number;
  readonly minor: number;
  /** As NetBox says it: `4.7.3-Docker-3.4.0`. */
  readonly text: string;
}

function versionOf(text: string): NetBoxVersion {
  const [, major = '0', minor = '0'] = /^v?(\d+)\.(\d+)/.exec(text) ?? [];
  return { major: Number(major), minor: Number(minor), text };
}

export function isAtLeast(version: NetBoxVersion, major: number, minor: number): boolean {
  return version.major > major || (version.major === major && version.minor >= minor);
}
