import { placed, worded } from '../../../kit/worded.ts';
import { AppError, type RuleDocument, type RuleRecord, type RuleType, type Wording } from '../../../ports/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import { changeWithRetry } from '../../kernel/change-with-retry.ts';
import { requireStoredType } from '../rule-type-input.ts';
import type { RuleServices } from '../services.ts';
import { keepsConfirmer } from '../trust/confirmer.ts';
import type { ImportOptions } from './import-candidates.ts';
import { importDocuments } from './import-documents.ts';

const TAKEN: Readonly<Record<string, Wording>> = {
  accounts: worded`there is already such an account; change it, or choose another name`,
  users: worded`there is already such a user; change it, or choose another name`,
  cron_groups: worded`there is already such a cron group; change it, or choose another name`,
};

/** Stores one document, with the checks and the history that every import has. */
export async function storeDocument(
  services: RuleServices,
  caller: Caller,
  type: string,
  document: RuleDocument,
  mode: 'create' | { readonly replaces: RuleRecord },
  options: Pick<ImportOptions, 'keepsConfirmation'> = {},
): Promise<void> {
  const part = { type, documents: [document] };
  const keepsConfirmation =
    options.keepsConfirmation === true ||
    (mode !== 'create' && keepsConfirmer(await requireStoredType(services, type), mode.replaces, document, caller));
  const { counts, details } = await importDocuments(
    services,
    caller,
    [part],
    mode === 'create'
      ? { keepsConfirmation, override: false }
      : { keepsConfirmation, override: true, expectedVersion: mode.replaces.version },
  );
  const [problem] = details;
  if (problem !== undefined) {
    throw new AppError('invalid_input', placed(problem), { details: [problem] });
  }
  if (counts.get(type)?.imported !== 1) {
    throw new AppError(
      'conflict',
      TAKEN[type] ?? worded`there is already such a rule; change it, or choose another name`,
    );
  }
}

/**
 * Stores the result of `change`, on top of concurrent changes to the document: if another writer was faster, `change` is called
 * again with the document stored by then. A document removed by then is a conflict.
 */
export async function changeDocument(
  services: RuleServices,
  caller: Caller,
  type: string,
  record: RuleRecord,
  change: (document: RuleDocument) => RuleDocument,
  options: Pick<ImportOptions, 'keepsConfirmation'> = {},
): Promise<void> {
  let current = record;
  let conflict: AppError | undefined;
  const isDone = await changeWithRetry(async () => {
    try {
      await storeDocument(services, caller, type, change(current.document.value), { replaces: current }, options);
      return true;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      const latest = await services.storage.rules.get(type, record.id);
      if (latest === undefined || latest.version === current.version) throw error;
      current = latest;
      conflict = error;
      return undefined;
    }
  });
  if (isDone === undefined) throw conflict;
}

/** Sets one member of a stored rule, on top of what others change in it at the same time. */
export async function setMember(
  services: RuleServices,
  caller: Caller,
  type: RuleType,
  record: RuleRecord,
  member: 'enabled' | 'sort_field',
  value: boolean | number,
): Promise<void> {
  await changeDocument(services, caller, type.id, record, (document) => ({ ...document, [member]: value }));
}
