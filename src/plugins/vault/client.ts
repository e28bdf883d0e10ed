import { readFile } from 'node:fs/promises';
import { AppError } from '../../ports/errors.ts';
import { type HttpClient, HttpError } from '../../ports/http-client.ts';
import type { JsonObject, JsonValue } from '../../ports/json.ts';
import type { SecretContext, SecretSource, SecretSourceServices } from '../../ports/secret-source.ts';
import { fieldsOf, fieldText, type Login, loginOf } from './map.ts';
import type { VaultOptions } from './options.ts';
import { encodedPath, parseVaultReference, referenceProblem } from './reference.ts';

/** A token is used for this part of the time that it was given for. */
const USED = 0.8;
/** The server answers this for a token that has ended, as for a path that its policies do not open. */
const FORBIDDEN = 403;
const NOT_FOUND = 404;

interface Session extends Login {
  readonly until: number;
  readonly client: HttpClient;
}

/** Secrets of a Vault server. It logs in at the first secret, and again when the token ends or is refused. */
export async function vaultSource(options: VaultOptions, { http }: SecretSourceServices): Promise<SecretSource> {
  const { address, auth } = options;
  if (address === '') {
    throw new AppError(
      'invalid_input',
      'the plugin vault has no address; set PLUGIN_OPTIONS.vault.address in the configuration file',
    );
  }
  const ca = options.ca_file === '' ? undefined : await fileText(options.ca_file, 'ca_file');
  let session: Promise<Session> | undefined;
  let latest: Session | undefined;

  function client(token?: string): HttpClient {
    const headers = {
      'x-vault-request': 'true',
      ...(options.namespace === '' ? {} : { 'x-vault-namespace': options.namespace }),
      ...(token === undefined ? {} : { 'x-vault-token': token }),
    };
    return http.client({
      url: `${address.replace(/\/+$/, '')}/v1`,
      headers,
      ...(ca === undefined ? {} : { tls: { ca } }),
      limits: { answerSeconds: options.timeout_seconds, connectSeconds: options.timeout_seconds },
      retry: { attempts: 2, firstSeconds: 0.2 },
    });
  }

  async function logIn({ signal }: SecretContext): Promise<Session> {
    const login = await newLogin(signal);
    const until = login.seconds === 0 ? Number.POSITIVE_INFINITY : performance.now() + login.seconds * 1000 * USED;
    return { ...login, until, client: client(login.token) };
  }

  async function newLogin(signal: AbortSignal): Promise<Login> {
    if (auth === 'token') {
      return { token: await secretOf(options.token, options.token_file, 'token'), seconds: 0 };
    }
    const json = auth === 'approle' ? await appRole(options) : await kubernetes(options);
    const mount = options.mount === '' ? auth : options.mount;
    const asking = client();
    try {
      const path = `auth/${encodedPath(mount)}/login`;
      const { value } = await asking.json({ method: 'POST', path, json, repeatable: true }, { signal });
      const login = loginOf(value);
      if (login === undefined) throw new AppError('failed', `the login at ${mount} answered no token`);
      return login;
    } catch (error) {
      if (!(error instanceof HttpError) || error.status === undefined || error.status >= 500) throw error;
      throw new AppError(
        'failed',
        `the login by ${auth} is refused (${error.status}): check role, secret and mount of the plugin vault`,
        {
          cause: error,
        },
      );
    } finally {
      await asking.close();
    }
  }

  /** Several that need a secret at once share one login. */
  async function current(context: SecretContext): Promise<Session> {
    session ??= begun(context);
    const known = await session;
    return performance.now() < known.until ? known : renewed(known, context);
  }

  function begun(context: SecretContext): Promise<Session> {
    const login = logIn(context);
    login.then(
      (value) => {
        latest = value;
      },
      () => {
        session = undefined;
      },
    );
    return login;
  }

  function renewed(old: Session, context: SecretContext): Promise<Session> {
    if (latest === old) {
      latest = undefined;
      session = undefined;
    }
    return current(context);
  }

  async function asked(
    path: string,
    accept: readonly number[],
    context: SecretContext,
  ): Promise<{ status: number; value: JsonValue | undefined }> {
    const first = await current(context);
    const request = { path, accept: [...accept, FORBIDDEN] };
    const answer = await first.client.json(request, context);
    if (answer.status !== FORBIDDEN) return answer;
    // A token in a file may have been replaced; one in the settings stays what it is.
    if (auth === 'token' && options.token_file === '') return answer;
    return (await renewed(first, context)).client.json(request, context);
  }

  return {
    async read(reference, context) {
      const named = parseVaultReference(reference);
      const problem = referenceProblem(reference);
      if (named === undefined || problem !== undefined) throw new AppError('failed', problem ?? 'names nothing');
      const { status, value } = await asked(encodedPath(named.path), [NOT_FOUND], context);
      if (status === FORBIDDEN) {
        throw new AppError(
          'failed',
          `${address} refuses to read ${named.path} (403): give the policy of the login "read" on this path, or renew its token`,
        );
      }
      const fields = status === NOT_FOUND ? undefined : fieldsOf(value);
      if (fields === undefined) {
        throw new AppError(
          'failed',
          `${address} has nothing at ${named.path}; a path of a version 2 engine has "data" behind its mount`,
        );
      }
      const text = fieldText(fields, named.field);
      if (text === undefined) throw new AppError('failed', `${named.path} has no single value called ${named.field}`);
      return text;
    },
    async check(context) {
      const { status } = await asked('auth/token/lookup-self', [], context);
      if (status === FORBIDDEN)
        throw new AppError('failed', `${address} does not accept the token of the plugin vault`);
      return `${address}, logged in by ${auth}`;
    },
  };
}

async function appRole(options: VaultOptions): Promise<JsonObject> {
  if (options.role_id === '') throw missing('role_id');
  return {
    role_id: options.role_id,
    secret_id: await secretOf(options.secret_id, options.secret_id_file, 'secret_id'),
  };
}

async function kubernetes({ role, jwt_file: file }: VaultOptions): Promise<JsonObject> {
  if (role === '') throw missing('role');
  return { role, jwt: await fileText(file, 'jwt_file') };
}

async function secretOf(given: string, file: string, name: string): Promise<string> {
  if (file !== '') return fileText(file, `${name}_file`);
  if (given === '') throw missing(`${name} or ${name}_file`);
  return given;
}

/** The settings are of the operator of the machine, so they may name any file. */
async function fileText(path: string, option: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (cause) {
    const { code = 'error' } = cause as NodeJS.ErrnoException;
    throw new AppError('failed', `${option} of the plugin vault cannot be read: ${path} (${code})`, { cause });
  }
}

function missing(name: string): AppError {
  return new AppError(
    'invalid_input',
    `the plugin vault has no ${name}; set it in PLUGIN_OPTIONS.vault of the configuration file`,
  );
}
