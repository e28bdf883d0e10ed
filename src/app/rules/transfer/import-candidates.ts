import { documentName } from '../../../kit/document/document-name.ts';
import { isSameDocument } from '../../../kit/document/members.ts';
import { detailOf, saidAt, worded } from '../../../kit/worded.ts';
import {
  type Actor,
  AppError,
  documentPlace,
  type ErrorDetail,
  type RuleDocument,
  type RuleRecord,
  type RuleType,
  type RuleWrite,
  StoredJson,
} from '../../../ports/index.ts';
import { type Caller, writerOf } from '../../kernel/caller.ts';
import { bindSecrets } from '../secrets/bind-secrets.ts';
import type { RuleServices } from '../services.ts';
import { confirmerOfReplacement } from '../trust/confirmer.ts';
import { restrictionOf } from '../trust/held-versions.ts';
import { isPending } from '../trust/pending.ts';
import { isUnknownRuleType } from '../unknown-types.ts';
import type { BrokenLine } from './bundle.ts';
import { givenId, idOf, uniqueName, withId } from './document-ids.ts';
import { type ExistingDocuments, storedBefore } from './existing-documents.ts';

export interface ImportOptions {
  /** Replaces existing documents instead of counting them as duplicates. */
  readonly override: boolean;
  /** Documents that stay as they are all the same, as `type/name`. */
  readonly leaves?: ReadonlySet<string>;
  /** Only counts and checks. */
  readonly dryRun?: boolean;
  /** Tells documents that are the same as what is here from those that differ, which reads what is here. */
  readonly compares?: boolean;
  readonly actor?: Actor;
  /** When the documents count as written; absent: now. */
  readonly at?: Date;
  /**
   * Given for an import, whose documents may come from another installation: what new rules from there match at first counts as
   * fired, unless this is true. Absent if a user writes a document here.
   */
  readonly fireExisting?: boolean;
  /** Lines of the file that are not documents: each counts as an invalid one. */
  readonly broken?: readonly BrokenLine[];
  /** For one document that replaces the version that was read: if it was changed meanwhile, the import is a `conflict`. */
  readonly expectedVersion?: number;
  /**
   * True for a change that the program makes itself or has checked otherwise (a password, a token): the document stays vouched
   * for as before. Otherwise the caller vouches for it.
   */
  readonly keepsConfirmation?: boolean;
  /** True for an administrator who has read the waiting documents of the import: otherwise they keep waiting. */
  readonly confirms?: boolean;
  /** Entries that the program keeps with the documents; written in one unit with them. */
  readonly alongside?: readonly RuleWrite[];
}

export interface Candidate {
  readonly type: RuleType;
  readonly index: number;
  readonly document: RuleDocument;
  /** The document stored in its place when the import began. */
  readonly before: RuleRecord | undefined;
  readonly write: RuleWrite;
  /** Whether it came under a name or with an id that another installation gave it. */
  readonly isForeign: boolean;
  /** As it came, when secrets in it were sealed for the place of a new document: it may turn out not to be new. */
  readonly resealed: RuleDocument | undefined;
  /** Whether it waits although an administrator imports it: it waited in its source installation, or waits here unchanged. */
  readonly stillWaits: boolean;
}

export async function prepareCandidate(
  services: RuleServices,
  caller: Caller,
  type: RuleType,
  index: number,
  given: RuleDocument,
  existing: ExistingDocuments,
  options: ImportOptions & { readonly isMarked: boolean },
): Promise<{ readonly candidate: Omit<Candidate, 'isForeign'>; readonly unreadable: readonly ErrorDetail[] }> {
  const name = documentName(type, given);
  const before = storedBefore(type, given, existing);
  refuse(type, given, index, type.refusals?.(given, before?.document.value, writerOf(caller)) ?? []);
  const id = idOf(services, type, given, before, existing.newIds, options.override);
  const bound = await bindSecrets(services, caller, { type, id, given, before });
  refuse(type, given, index, bound.refusals);
  let hasSealed = bound.document !== given;
  const prepared =
    (await type.prepare?.(bound.document, {
      existing: before?.document.value,
      seal(plain, member) {
        hasSealed = true;
        return services.secrets.seal(plain, documentPlace(type.id, id, member));
      },
      hashPassword: (password) => services.passwords.hash(password),
      isSecretOption: (accountType, option) => services.plugins.isSecretOption(accountType, option),
    })) ?? bound.document;
  const document = withId(prepared, id);
  const uniqueValue = type.uniqueValue?.(document);
  const confirmedBy =
    options.keepsConfirmation === true ? ('keep' as const) : confirmerOfReplacement(type, before, document, caller);
  const stillWaits =
    confirmedBy !== null &&
    confirmedBy !== 'keep' &&
    options.confirms !== true &&
    (options.isMarked ||
      (before !== undefined && isPending(type, before) && isSameDocument(document, before.document.value)));
  const candidate: Omit<Candidate, 'isForeign'> = {
    type,
    index,
    document,
    before,
    resealed: hasSealed && before === undefined && options.override ? given : undefined,
    write: {
      type: type.id,
      id,
      name,
      uniqueName: isUnknownRuleType(type)
        ? givenId(given) === undefined && name !== ''
        : uniqueName(type, given) !== undefined,
      ...(uniqueValue === undefined ? {} : { uniqueValue }),
      document: StoredJson.ofValue(document),
      confirmedBy: stillWaits ? null : confirmedBy,
    },
    stillWaits:
      stillWaits &&
      (restrictionOf(type) !== undefined ||
        isPending(type, { document: StoredJson.ofValue(document), confirmedBy: null })),
  };
  return { candidate, unreadable: bound.unreadable };
}

/** Throws if there are refusals: a document that grants something the caller does not hold refuses the whole request. */
function refuse(type: RuleType, document: RuleDocument, index: number, refusals: readonly ErrorDetail[]): void {
  const [first] = refusals;
  if (first === undefined) return;
  const name = documentName(type, document);
  throw new AppError(
    'forbidden',
    worded`${{ type: type.id }} ${{ name }}: ${{ problem: saidAt(first) }}; nothing was imported`,
    {
      details: refusals.map((refusal) => detailOf(`${type.id}.${index}.${refusal.path}`, saidAt(refusal))),
    },
  );
}
