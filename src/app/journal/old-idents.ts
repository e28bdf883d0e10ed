import type { LogHead } from '../../ports/index.ts';
import { type Limits, wholeAccountsOf } from '../kernel/caller.ts';
import { JOB_NAMES } from '../kernel/jobs/job-names.ts';
import { groupLogSource, runLogSource } from './run-log.ts';
import type { JournalServices } from './services.ts';

/** What the scheduler of existing installations logs as, whichever group it is about. */
const SCHEDULER = 'cron';
/** What the pass over autorules logs as, there and here. */
const AUTORULES = { there: 'RuleCreation', here: 'Autorules' };

/**
 * The components here that do what existing installations log under an ident: imports and exports of the accounts whose jobs have it, all
 * cron groups for `cron`. A job that runs by its old name leaves an entry under the ident itself as well; these are for what runs in
 * another way. Empty for every other ident.
 */
export async function sourcesBehind(
  { accounts, cronGroups }: Pick<JournalServices, 'accounts' | 'cronGroups'>,
  caller: Limits,
  ident: string,
): Promise<readonly string[]> {
  const scope = wholeAccountsOf(caller);
  if (ident === SCHEDULER) return (await cronGroups.list(scope)).map(({ name }) => groupLogSource(name));
  if (ident === AUTORULES.there) return [AUTORULES.here];
  const kinds = new Map<string, 'import' | 'export'>();
  for (const { means, idents } of JOB_NAMES) {
    if (!idents.includes(ident) || !('system' in means) || means.does === 'by its name only') continue;
    kinds.set(means.system.accountType, means.does === 'Export' ? 'export' : 'import');
  }
  if (kinds.size === 0) return [];
  return (await accounts.list(scope)).flatMap(({ name, type }) => {
    const kind = kinds.get(type);
    return kind === undefined ? [] : runLogSource(kind, name);
  });
}

/** The newest of what these components wrote last. */
export function newestOf(heads: readonly LogHead[], sources: readonly string[]): LogHead | undefined {
  const wanted = new Set(sources);
  const own = heads.filter(({ source }) => wanted.has(source));
  return own.reduce<LogHead | undefined>(
    (best, head) => (best === undefined || head.at > best.at ? head : best),
    undefined,
  );
}
