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
 * Returns the document as the caller may store it. Anyone who may write it may bring its own sealed texts, current or from past
 * versions. A text sealed for another place would show the secret of someone else to the users of this document: only an
 * administrator may bring one, with a copy or with an export from before secrets had places, and it is sealed for its new place.
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
    // The text stays as it is, to the letter: a document that is sent back unchanged must equal the one that was vouched for.
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

/** Returns the secret texts of the document and of its kept versions, also for a removed document. */
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
