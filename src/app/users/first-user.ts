import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { phrase, worded } from '../../kit/worded.ts';
import { AppError, type JsonObject, StoredJson } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { FIRST_USER_LINK } from '../kernel/plugin-host/registry.ts';
import { applyPasswordPolicy } from './password-policy.ts';
import { newUserNameSchema } from './require-user.ts';
import type { UserServices } from './services.ts';

/**
 * A link by which the first user is made in a browser. Only available if there never was a user, for one use within an hour. It
 * is kept in the store, sealed, so that every node prints the same one.
 */

const HOUR_MS = 3_600_000;
/** There is one at most. */
const ID = '0'.repeat(24);
const PURPOSE = 'first-user link';
const ACTOR = { kind: 'system', name: 'first-user link' } as const;

/** Returns the secret of the link; `undefined` if there is a user or once was one. */
export async function firstUserSecret(services: UserServices): Promise<string | undefined> {
  const { secrets, clock, storage } = services;
  if (!(await neverHadUsers(services))) return undefined;
  const kept = await storage.rules.get(FIRST_USER_LINK, ID);
  const known = kept && (await opened(services, kept.document.value));
  if (known !== undefined) return known;
  const now = clock.now();
  const secret = randomBytes(32).toString('base64url');
  const sealed = await secrets.seal(secret, PURPOSE);
  const document = { _id: { $oid: ID }, secret: sealed, until: new Date(now.getTime() + HOUR_MS).toISOString() };
  const entry = {
    ...{ type: FIRST_USER_LINK, id: ID, name: FIRST_USER_LINK, uniqueName: false, confirmedBy: null },
    document: StoredJson.ofValue(document as JsonObject),
  };
  const by = { at: now, actor: ACTOR };
  // If several nodes start at once, one stores its link and the others print that one.
  if (kept === undefined) await storage.rules.write({ entries: [entry], mode: 'skip', ...by });
  else await storage.rules.replace({ entry, expectedVersion: kept.version, ...by });
  const stored = await storage.rules.get(FIRST_USER_LINK, ID);
  return stored && opened(services, stored.document.value);
}

/** Uses the link up and calls `add`, which makes the user. What is wrong with the name or the password is found before that. */
export async function spendFirstUserLink(
  services: UserServices,
  { secret, name, password }: { readonly secret: string; readonly name: string; readonly password: string },
  caller: Caller,
  add: () => Promise<unknown>,
): Promise<void> {
  const { storage, clock, config, logger } = services;
  const kept = await storage.rules.get(FIRST_USER_LINK, ID);
  const known = kept && (await opened(services, kept.document.value));
  if (known === undefined || !isSame(known, secret) || !(await neverHadUsers(services))) throw ENDED();
  if (!newUserNameSchema.safeParse(name).success) {
    const message = phrase`must not be empty, and must not contain white space, colons or control characters`;
    throw new AppError('invalid_input', worded`this is not a valid user name`, {
      details: [{ path: 'name', message }],
    });
  }
  applyPasswordPolicy(password, name, { minLength: config.PASSWORD_MIN_LENGTH, caller, logger });
  const isFirst = await storage.rules.remove({ type: FIRST_USER_LINK, id: ID, at: clock.now(), actor: ACTOR });
  if (!isFirst) throw ENDED();
  await add();
}

async function opened({ secrets, clock }: UserServices, document: JsonObject): Promise<string | undefined> {
  const { secret, until } = document;
  if (typeof secret !== 'string' || typeof until !== 'string' || new Date(until) <= clock.now()) return undefined;
  return secrets.open(secret, PURPOSE).catch(() => undefined);
}

async function neverHadUsers({ users, storage }: UserServices): Promise<boolean> {
  if ((await users.list()).length > 0) return false;
  for await (const removed of storage.rules.lastVersions({ change: 'removed', type: 'users' }, 1))
    if (removed.length > 0) return false;
  return true;
}

function isSame(known: string, given: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(known), digest(given));
}

const ENDED = (): AppError =>
  new AppError(
    'forbidden',
    worded`this link has ended: it works once, within an hour, and only while there is no user; start the service again for a new one, or create the user with "muster user add"`,
  );
