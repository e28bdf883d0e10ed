import {
  memberDate,
  memberFlag,
  memberInteger,
  memberList,
  memberObjects,
  memberText,
  ownMember,
  referenceValue,
} from '../../kit/document/members.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { tokenHashOf } from '../../kit/users/token-hash.ts';
import type { RuleDocument, RuleRecord } from '../../ports/index.ts';

/** A personal API token as its user's document keeps it. */
export interface UserToken {
  /** The public start of the token, which names it. */
  readonly prefix: string;
  readonly label: string;
  /** SHA-256 of the whole token, hex. The token is random, so a fast hash is enough. */
  readonly hash: string;
  readonly createdAt: Date | null;
  readonly expiresAt: Date | null;
  /** The roles of the user that it carries; `null` for all of them. */
  readonly roles: readonly string[] | null;
  readonly readOnly: boolean;
  /** Names of accounts that it reaches at most, or `null` for those of the user. */
  readonly restrictedTo: readonly string[] | null;
  /** Templates whose hosts it reaches at most, by name or id, or `null` for those of the user. */
  readonly restrictedToTemplates: readonly string[] | null;
}

/** A key on a device of the user, which proves that it is there and that the user unlocked it. */
export interface Passkey {
  /** Credential ID, base64url. */
  readonly id: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** How often it was used; 0 where the device does not count. */
  readonly counter: number;
  readonly label: string;
  readonly transports: readonly string[];
  readonly createdAt: Date | null;
}

/** The factors of a user in addition to the password. */
interface SecondFactor {
  /** The sealed secret of the authenticator app; empty for none. */
  readonly authenticator: string;
  /** SHA-256 of the codes that are left, hex. */
  readonly recoveryCodes: readonly string[];
  readonly passkeys: readonly Passkey[];
}

/** The identity of a user in another system, which alone decides whether the user may log in and with which rights. */
export interface UserLogin {
  /** Id of the account that the user logs in with. */
  readonly method: string;
  /** The user's identifier there. */
  readonly subject: string;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly roles: readonly string[];
  /** Never true for a user restricted to accounts or templates, whatever the document says. */
  readonly globalAdmin: boolean;
  readonly readOnly: boolean;
  readonly disabled: boolean;
  /** Names of accounts, or `null` when not restricted. */
  readonly restrictedTo: readonly string[] | null;
  /** Names or ids of templates, or `null` when not restricted. */
  readonly restrictedToTemplates: readonly string[] | null;
  readonly tokens: readonly UserToken[];
  readonly secondFactor: SecondFactor;
  /** The user's login in another system; `undefined` for a user known here alone. */
  readonly login: UserLogin | undefined;
  readonly record: RuleRecord;
}

/** Whether the user may log in at all: a user without a confirmation waits for an administrator. */
export function mayEnter({ disabled, record }: Pick<User, 'disabled' | 'record'>): boolean {
  return !disabled && record.confirmedBy !== null;
}

/** Reads a document of type `users`. */
export function readUser(record: RuleRecord): User {
  const document = record.document.value;
  const restrictedTo = restrictionOf(document, 'restrict_to_accounts');
  const restrictedToTemplates = restrictionOf(document, 'restrict_to_templates');
  return {
    id: record.id,
    name: record.name,
    email: memberText(document, 'email'),
    passwordHash: memberText(document, 'pwdhash'),
    roles: memberList(document, 'api_roles').filter((role) => typeof role === 'string'),
    globalAdmin: restrictedTo === null && restrictedToTemplates === null && memberFlag(document, 'global_admin'),
    readOnly: memberFlag(document, 'readonly'),
    disabled: memberFlag(document, 'disabled'),
    restrictedTo,
    restrictedToTemplates,
    tokens: memberObjects(document, 'api_tokens').map(readToken),
    secondFactor: secondFactorOf(document),
    login: loginOf(document),
    record,
  };
}

export function secondFactorOf(document: RuleDocument): SecondFactor {
  return {
    // One that is not sealed opens nothing, and still is a factor that this user has.
    authenticator: memberText(document, 'tfa_secret_crypted') || memberText(document, 'tfa_secret'),
    recoveryCodes: memberObjects(document, 'recovery_codes').map((code) => memberText(code, 'hash')),
    passkeys: memberObjects(document, 'passkeys').map((passkey) => ({
      id: memberText(passkey, 'id'),
      publicKey: memberText(passkey, 'public_key'),
      counter: memberInteger(passkey, 'counter') ?? 0,
      label: memberText(passkey, 'label'),
      transports: memberList(passkey, 'transports').filter((transport) => typeof transport === 'string'),
      createdAt: memberDate(passkey, 'created'),
    })),
  };
}

function loginOf(document: RuleDocument): UserLogin | undefined {
  const written = ownMember(document, 'sign_in');
  if (written === undefined || written === null) return undefined;
  // An unreadable value must not turn a user into a local one.
  return isJsonObject(written)
    ? { method: memberText(written, 'method'), subject: memberText(written, 'subject') }
    : { method: '', subject: '' };
}

function readToken(token: RuleDocument): UserToken {
  return {
    prefix: memberText(token, 'prefix'),
    label: memberText(token, 'label'),
    hash: tokenHashOf(token),
    createdAt: memberDate(token, 'created') ?? memberDate(token, 'created_at'),
    expiresAt: earlier(memberDate(token, 'expires'), memberDate(token, 'expires_at')),
    roles: carriedRoles(token),
    readOnly: memberFlag(token, 'readonly'),
    restrictedTo: restrictionOf(token, 'restrict_to_accounts'),
    restrictedToTemplates: restrictionOf(token, 'restrict_to_templates'),
  };
}

function earlier(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

/** The roles that a token names, or `null` for all of its user. Unreadable roles grant nothing. */
function carriedRoles(token: RuleDocument): readonly string[] | null {
  const written = ownMember(token, 'api_roles');
  if (written === undefined || written === null || written === '') return null;
  const roles = memberList(token, 'api_roles').filter((role) => typeof role === 'string');
  return Array.isArray(written) && written.length === 0 ? null : roles;
}

type Restriction = 'restrict_to_accounts' | 'restrict_to_templates';

/** Names or ids that a user is restricted to, or `null` for all. An unreadable list restricts to none. */
function restrictionOf(document: RuleDocument, member: Restriction): readonly string[] | null {
  const written = ownMember(document, member);
  if (written === undefined || written === null || written === '') return null;
  if (!Array.isArray(written)) return [];
  return written.length === 0 ? null : written.flatMap((reference) => referenceValue(reference) ?? []);
}
