import { phrase } from '../../../kit/worded.ts';
import {
  AppError,
  documentPlace,
  type ErrorDetail,
  isDocumentPlace,
  type RuleDocument,
  type RuleRecord,
  type RuleType,
} from '../../../ports/index.ts';
import { type Caller, isAdministrator } from '../../kernel/caller.ts';
import type { KernelServices } from '../../kernel/services.ts';
import { ALL_VERSIONS } from './all-versions.ts';
import { changeSecretTexts, type SecretText, secretTexts } from './secret-members.ts';
import { secretPaths } from './secret-paths.ts';

export interface BoundDocument {
  readonly document: RuleDocument;
  /** Sealed texts that the caller may not bring here. */
  readonly refusals: readonly ErrorDetail[];
  /** Sealed texts that do not open under the instance key: they are kept as they came. */
  readonly unreadable: readonly ErrorDetail[];
}

/**
 * The document as the caller may bring it. Its own sealed texts, of today and of its past versions, anybody may bring who may
 * write it. One that was sealed for another place would show somebody else's secret to whoever has this document used: only an
 * administrator brings such a text, with a copy or with an export from before secrets had places, and it is sealed for the
 * place where it will stand.
 */
export async function bindSecrets(
  services: KernelServices,
  caller: Caller,
  { type, id, given, before }: { type: RuleType; id: string; given: RuleDocument; before: RuleRecord | undefined },
): Promise<BoundDocument> {
  const { secrets } = services;
  const refusals: ErrorDetail[] = [];
  const unreadable: ErrorDetail[] = [];
  let own: Promise<ReadonlySet<string>> | undefined;

  async function bound(secret: SecretText): Promise<string> {
    const { text, member, path } = secret;
    const from = secrets.placeOf(text);
    const place = documentPlace(type.id, id, member);
    if (from === undefined || from === place) return text;
    own ??= ownTexts(services, type, before, id);
    const isOwn = (await own).has(keyOf(secret));
    // To the letter as it was: a document that comes back unchanged is the one that somebody vouched for.
    if (isOwn && !isAdministrator(caller)) return text;
    const plain = from === null || isDocumentPlace(from) ? await opened(services, text, from ?? place) : undefined;
    if (plain === undefined) {
      if (!isOwn)
        unreadable.push({ path, message: phrase`does not open under the instance key; enter the secret again` });
      return text;
    }
    if (isAdministrator(caller)) return secrets.seal(plain, place);
    refusals.push({
      path,
      message: phrase`has an encrypted secret from another place; give the secret in clear text, or ask an administrator`,
    });
    return text;
  }

  const document = await changeSecretTexts(given, secretPaths(type, given), bound);
  return { document, refusals, unreadable };
}

/** What the document holds, and what it held in the versions that are kept, also of one that was removed. */
async function ownTexts(
  { storage }: KernelServices,
  type: RuleType,
  before: RuleRecord | undefined,
  id: string,
): Promise<ReadonlySet<string>> {
  const versions = await storage.rules.versions(type.id, id, ALL_VERSIONS);
  const documents = [...(before === undefined ? [] : [before]), ...versions];
  return new Set(
    documents.flatMap(({ document }) =>
      secretTexts(document.value, secretPaths(type, document.value)).map((secret) => keyOf(secret)),
    ),
  );
}

function keyOf({ text, member }: SecretText): string {
  return `${member}\n${text}`;
}

async function opened({ secrets }: KernelServices, text: string, place: string): Promise<string | undefined> {
  try {
    return await secrets.open(text, place);
  } catch (error) {
    if (error instanceof AppError && error.code === 'failed') return undefined;
    throw error;
  }
}
