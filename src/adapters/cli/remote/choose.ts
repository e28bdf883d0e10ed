import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError } from '../../../ports/errors.ts';
import { readSecretLine } from '../input-text.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import type { Connection, RemoteLogin } from './connection.ts';
import { LOCAL, type Profile, type Profiles, readProfiles } from './profiles.ts';

/** Options of the command line that determine where a command works. */
export interface RemoteOptions {
  readonly url?: string;
  readonly profile?: string;
  readonly tokenStdin?: true;
  readonly caFile?: string;
  readonly plainHttp?: true;
  /** An option names the store of this machine. */
  readonly namesStore: boolean;
}

/**
 * Returns the service that a command is sent to; `undefined` for the store of this machine. An address wins over a profile,
 * options of this call over variables, and both over the active profile. A credential is sent to the address that it was given
 * with, and nowhere else.
 */
export async function chosenConnection(terminal: Terminal, options: RemoteOptions): Promise<Connection | undefined> {
  if (options.url !== undefined && options.profile !== undefined) {
    throw new UsageError('--url and --profile both choose the service; use one of them');
  }
  if (options.namesStore) {
    if (options.url === undefined && options.profile === undefined) return undefined;
    throw new UsageError(
      '--database-url and --data-dir name the store of this machine; leave them out, or --url and --profile',
    );
  }
  const url = options.url ?? (options.profile === undefined ? terminal.variable('MUSTER_URL') || undefined : undefined);
  const profiles = await readProfiles(terminal);
  if (url !== undefined) return atAddress(terminal, options, url, profiles);
  const name = options.profile ?? (terminal.variable('MUSTER_PROFILE') || profiles.current);
  if (name === undefined || name === LOCAL) return undefined;
  const profile = Object.hasOwn(profiles.profiles, name) ? profiles.profiles[name] : undefined;
  if (profile === undefined) {
    throw new UsageError(`there is no profile ${name}; "muster profile list" shows them, "muster login" makes one`);
  }
  const login = await givenLogin(terminal, options, false);
  return connectionOf(terminal, { ...options, login: login ?? { kind: 'token', token: profile.token } }, profile, name);
}

async function atAddress(
  terminal: Terminal,
  options: RemoteOptions,
  url: string,
  { profiles }: Profiles,
): Promise<Connection> {
  const base = serviceAddress(url);
  const [name, profile] =
    Object.entries(profiles).find(([, candidate]) => serviceAddress(candidate.url).href === base.href) ?? [];
  const login =
    (await givenLogin(terminal, options, true)) ?? (profile && { kind: 'token' as const, token: profile.token });
  if (login === undefined) {
    throw new UsageError(
      `there is no credential for ${base.href}: set MUSTER_TOKEN, use --token-stdin, or "muster login ${base.href}"`,
    );
  }
  return connectionOf(terminal, { ...options, login }, { ...profile, url }, name);
}

/**
 * Returns the credentials given for this call. Variables belong to an address that is given too; they are never sent to the one
 * of a profile.
 */
async function givenLogin(
  terminal: Terminal,
  { tokenStdin }: RemoteOptions,
  takesVariables: boolean,
): Promise<RemoteLogin | undefined> {
  if (tokenStdin) return { kind: 'token', token: tokenOf(await readSecretLine(terminal)) };
  if (!takesVariables) return undefined;
  const token = terminal.variable('MUSTER_TOKEN');
  if (token) return { kind: 'token', token: tokenOf(token) };
  // The same variables that the inventory scripts take, so that one MUSTER_URL serves them and the commands.
  const user = terminal.variable('MUSTER_USER') || terminal.variable('SERVICE_API_USER');
  const password = terminal.variable('MUSTER_PASSWORD') || terminal.variable('SERVICE_API_PASSWORD');
  return user && password ? { kind: 'password', user, password } : undefined;
}

/** A token is one word, and is put into a header unchanged. */
export function tokenOf(text: string): string {
  const token = text.trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new AppError(
    'invalid_input',
    'that is not a token; a token is one word, as "muster user token create" prints it',
  );
}

interface ConnectionParts extends RemoteOptions {
  readonly login: RemoteLogin;
}

/** Checks that credentials may be shown there. */
export async function connectionOf(
  terminal: Terminal,
  { login, caFile, plainHttp }: ConnectionParts,
  { url, ca_file, plain_http }: Pick<Profile, 'url' | 'ca_file' | 'plain_http'>,
  profile?: string,
): Promise<Connection> {
  const base = serviceAddress(url);
  if (base.protocol === 'http:' && !isThisMachine(base) && !(plainHttp ?? plain_http)) {
    throw new UsageError(
      `over ${base.href} anyone on the way could read the credential; use https://, or --plain-http where the network is safe`,
    );
  }
  const authorities = caFile ?? ca_file;
  return {
    base,
    login,
    ...(authorities !== undefined && { authorities: await readAuthorities(terminal, authorities) }),
    ...(profile !== undefined && { profile }),
  };
}

/** Returns an address without extra parts; credentials in it would end up in the history of the shell. */
export function serviceAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError('the address of a service begins with https:// or http://: https://muster.example.org');
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('an address must not hold credentials; set MUSTER_TOKEN, or use "muster login"');
  }
  url.search = '';
  url.hash = '';
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

async function readAuthorities({ workingDirectory }: Terminal, path: string): Promise<string> {
  const text = await readFile(resolve(workingDirectory, path), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new AppError('failed', `--ca-file ${path} cannot be read (${cause.code ?? 'unknown reason'})`, { cause });
  });
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new AppError('failed', `--ca-file ${path} holds no certificate in PEM form`);
}

function isThisMachine({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}
