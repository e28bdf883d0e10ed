import { AppError, type RuleDocument, type RuleRecord } from '../../ports/index.ts';
import type { Caller } from '../execution/caller.ts';
import { importDocuments } from '../rules-transfer/import-documents.ts';
import type { Services } from '../services.ts';

const NOUNS = { accounts: 'an account', users: 'a user', cron_groups: 'a cron group' } as const;

/** Stores one document of a configuration type, with the checks and the history that every import has. */
export async function storeDocument(
  services: Services,
  caller: Caller,
  type: 'accounts' | 'users' | 'cron_groups',
  document: RuleDocument,
  mode: 'create' | { readonly replaces: RuleRecord },
): Promise<void> {
  const part = { type, documents: [document] };
  const { counts, details } = await importDocuments(
    services,
    caller,
    [part],
    mode === 'create' ? { override: false } : { override: true, expectedVersion: mode.replaces.version },
  );
  const [problem] = details;
  if (problem !== undefined) {
    throw new AppError('invalid_input', `${problem.path}: ${problem.message}`, { details: [problem] });
  }
  if (counts.get(type)?.imported !== 1) {
    throw new AppError('conflict', `there is already such ${NOUNS[type]}; change it, or choose another name`);
  }
}
