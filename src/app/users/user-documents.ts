import { isDeepStrictEqual } from 'node:util';
import { memberFlag, memberList, memberObjects, memberText, referenceValue } from '../../kit/document/members.ts';
import { tokenHashOf } from '../../kit/users/token-hash.ts';
import type { Clock, Logger, RuleDocument } from '../../ports/index.ts';
import type { AuditTrail } from '../journal/audit/audit-trail.ts';
import type { Caller } from '../kernel/caller.ts';
import type { UserChange, UserDocuments } from '../rules/services.ts';
import { passwordFault } from './password-policy.ts';
import type { Sessions } from './sessions.ts';

interface UserDocumentsDeps {
  readonly minPasswordLength: number;
  readonly audit: AuditTrail;
  readonly sessions: () => Sessions;
  readonly clock: Clock;
  readonly logger: Logger;
  newId(): string;
}

/** The checks and follow-up actions for users, however their documents arrive. */
export function userDocuments(deps: UserDocumentsDeps): UserDocuments {
  return {
    passwordFault: (password, name, caller) =>
      passwordFault(password, name, { minLength: deps.minPasswordLength, caller, logger: deps.logger }),
    stored: (changes, caller) => noteChanges(deps, changes, caller),
  };
}

/** Audits each user that was stored, by name and with what changed, and ends the sessions of a password that was replaced. */
async function noteChanges(
  { audit, sessions, clock, newId }: UserDocumentsDeps,
  changes: readonly UserChange[],
  caller: Caller,
): Promise<void> {
  for (const { id, name, before, after } of changes) {
    const details = changesOf(before, after);
    if (before !== undefined && details === '') continue;
    audit.keep({
      id: newId(),
      at: clock.now(),
      actor: caller.name,
      entrance: caller.entrance,
      address: caller.address,
      operation: before === undefined ? 'users/created' : 'users/changed',
      subject: name,
      outcome: 'done',
      requestId: caller.requestId,
      details,
    });
    if (before === undefined) continue;
    const isOut = memberFlag(after, 'disabled') || memberText(before, 'pwdhash') !== memberText(after, 'pwdhash');
    if (isOut) await sessions().endOfUser(id);
    else if (!isDeepStrictEqual(factorsOf(before), factorsOf(after))) await sessions().endOfUser(id, caller.session);
  }
}

/** The user's second factors: if they change, other sessions end. The use count of a passkey does not matter. */
function factorsOf(document: RuleDocument): readonly string[] {
  return [
    memberText(document, 'tfa_secret_crypted'),
    ...memberObjects(document, 'passkeys').map((passkey) => memberText(passkey, 'public_key')),
  ];
}

type Describe = (document: RuleDocument) => string;

const SHOWN: readonly (readonly [name: string, describe: Describe])[] = [
  ['roles', (document) => listed(texts(document, 'api_roles'), 'none')],
  ['other roles', (document) => listed(texts(document, 'roles'), 'none')],
  ['accounts', (document) => listed(texts(document, 'restrict_to_accounts'), 'all')],
  ['templates', (document) => listed(texts(document, 'restrict_to_templates'), 'all')],
  ['administrator', (document) => yesOrNo(document, 'global_admin')],
  ['read-only', (document) => yesOrNo(document, 'readonly')],
  ['disabled', (document) => yesOrNo(document, 'disabled')],
  ['authenticator app', (document) => yesOrNoText(memberText(document, 'tfa_secret_crypted'))],
  ['passkeys', (document) => listed(memberObjects(document, 'passkeys').map(passkeyLabel), 'none')],
  ['recovery codes', (document) => String(memberObjects(document, 'recovery_codes').length || 'none')],
  ['e-mail', (document) => memberText(document, 'email') || 'none'],
];

/** Describes the changes in words; never a hash. A new user is described as a whole. */
function changesOf(before: RuleDocument | undefined, after: RuleDocument): string {
  const shown = SHOWN.flatMap(([name, describe]) => {
    const now = describe(after);
    if (before === undefined) return now === 'none' || now === 'no' ? [] : [`${name}: ${now}`];
    const old = describe(before);
    return old === now ? [] : [`${name}: ${old} → ${now}`];
  });
  return [...shown, ...passwordChange(before, after), ...tokenChanges(before ?? {}, after)].join('; ');
}

function passwordChange(before: RuleDocument | undefined, after: RuleDocument): readonly string[] {
  if (before === undefined) return memberText(after, 'pwdhash') === '' ? ['no password'] : [];
  return memberText(before, 'pwdhash') === memberText(after, 'pwdhash') ? [] : ['another password'];
}

function tokenChanges(before: RuleDocument, after: RuleDocument): readonly string[] {
  const old = new Map(memberObjects(before, 'api_tokens').map((token) => [tokenHashOf(token), token]));
  const now = new Map(memberObjects(after, 'api_tokens').map((token) => [tokenHashOf(token), token]));
  const told = (word: string, token: RuleDocument) => `token ${memberText(token, 'prefix')} ${word}`;
  const come = [...now].flatMap(([hash, token]) => {
    const known = old.get(hash);
    if (known === undefined) return [told('made', token)];
    return isDeepStrictEqual(known, token) ? [] : [told('changed', token)];
  });
  return [...come, ...[...old].flatMap(([hash, token]) => (now.has(hash) ? [] : [told('revoked', token)]))];
}

function texts(document: RuleDocument, member: string): readonly string[] {
  return memberList(document, member).flatMap((item) =>
    typeof item === 'string' ? item : (referenceValue(item) ?? []),
  );
}

function listed(items: readonly string[], none: string): string {
  return items.length === 0 ? none : items.join(', ');
}

function passkeyLabel(passkey: RuleDocument): string {
  return memberText(passkey, 'label') || memberText(passkey, 'id').slice(0, 12);
}

function yesOrNoText(text: string): string {
  return text === '' ? 'no' : 'yes';
}

function yesOrNo(document: RuleDocument, member: string): string {
  return memberFlag(document, member) ? 'yes' : 'no';
}
