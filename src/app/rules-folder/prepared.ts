import { hash, randomBytes } from 'node:crypto';
import {
  AppError,
  documentPlace,
  type ErrorDetail,
  type RuleDocument,
  type RuleRecord,
  type RuleType,
} from '../../ports/index.ts';
import { takePlace } from '../kernel/places.ts';
import { secretTexts } from '../rules/secrets/secret-members.ts';
import { secretPaths } from '../rules/secrets/secret-paths.ts';
import type { RuleServices } from '../rules/services.ts';
import { clearName, type ResolvedDocument } from './secret-references.ts';

const IN_CLEAR =
  'is a secret in clear text, which a folder must not hold: say where it is, as {env: NAME} or {file: path}, or leave it out to keep what is stored';
const UNREPORTED = 'is a secret, and whether it is the stored one is shown only to users who may write';
const NOT_SECRET =
  'is read as a secret, and the member is not kept as one: it would be stored and shown in clear. Write the value itself, or mark the option as secret';

/** Texts that may be held against one stored secret in an hour, on all nodes together. */
const GUESSES = { most: 20, seconds: 60 * 60 };
/** Comparing the same text again is not another guess. The noted hash reveals nothing to readers of the store. */
const KEY = randomBytes(32).toString('hex');

/**
 * A document as it will be stored. Whether a given secret is the stored one is revealed only to callers who may write: others
 * could find it out by guessing. A secret that is stored already keeps its encrypted text, so a document without changes equals
 * the stored one to the letter.
 */
export async function preparedDocument(
  services: RuleServices,
  { type, id, record }: { readonly type: RuleType; readonly id: string; readonly record: RuleRecord | undefined },
  { document, given }: ResolvedDocument,
  mayReport: boolean,
): Promise<{
  readonly document: RuleDocument;
  readonly problems: readonly ErrorDetail[];
  /** Secrets about which nothing is revealed. */
  readonly unreported: readonly ErrorDetail[];
}> {
  const { secrets, passwords, plugins } = services;
  const problems: ErrorDetail[] = [];
  const unreported: ErrorDetail[] = [];
  const before = record?.document.value;
  const stored = new Map(
    before === undefined
      ? []
      : secretTexts(before, secretPaths(type, before)).map(({ member, text }) => [member, text] as const),
  );

  async function seal(plain: string, member: string): Promise<string> {
    if (!given.has(plain)) problems.push({ path: clearName(member), message: IN_CLEAR });
    const place = documentPlace(type.id, id, member);
    const text = stored.get(member);
    if (text === undefined) return secrets.seal(plain, place);
    if (!mayReport) {
      unreported.push({ path: clearName(member), message: UNREPORTED });
      return text;
    }
    if ((await secrets.open(text, place).catch(() => undefined)) === plain) return text;
    await countGuess(services, place, plain);
    return secrets.seal(plain, place);
  }

  const prepared =
    (await type.prepare?.(document, {
      existing: before,
      seal,
      hashPassword: (password) => passwords.hash(password),
      isSecretOption: (accountType, option) => plugins.isSecretOption(accountType, option),
    })) ?? document;
  for (const { member, path, text } of secretTexts(prepared, secretPaths(type, prepared))) {
    const isKept = text === '' || secrets.placeOf(text) !== undefined || stored.get(member) === text;
    if (!isKept && !given.has(text)) problems.push({ path, message: IN_CLEAR });
  }
  for (const path of pathsOf(prepared, given, '')) problems.push({ path, message: NOT_SECRET });
  return { document: prepared, problems, unreported };
}

async function countGuess(services: RuleServices, place: string, plain: string): Promise<void> {
  const { storage, clock } = services;
  const now = clock.now();
  const until = new Date(now.getTime() + GUESSES.seconds * 1000);
  const isNew = await storage.access.useOnce({
    key: `guess ${hash('sha256', `${KEY} ${place} ${plain}`)}`,
    now,
    until,
  });
  if (!isNew || (await takePlace(services, `guesses at ${place}`, GUESSES))) return;
  const message = `more than ${GUESSES.most} different texts were held against the secret of ${place} within an hour; wait, or set it by "muster account set"`;
  throw new AppError('rate_limited', message, { retryAfterSeconds: GUESSES.seconds });
}

/** Paths of members that equal one of the texts. */
function pathsOf(value: unknown, texts: ReadonlySet<string>, path: string): readonly string[] {
  if (typeof value === 'string') return texts.has(value) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    pathsOf(member, texts, path === '' ? name : `${path}.${name}`),
  );
}
