import type { LogEntry, LogPlace } from '../../ports/index.ts';
import { type Caller, wholeAccountsOf } from '../kernel/caller.ts';
import { groupLogSource, runLogSource } from './run-log.ts';
import type { JournalServices } from './services.ts';

/** The idents that runs of an account log under. */
export function accountLogSources(account: string): readonly string[] {
  return [runLogSource('import', account), runLogSource('export', account)];
}

/**
 * Components whose entries the caller may read: all, or the imports of the accounts and the cron groups within the caller's
 * scope. Exports cover all hosts, and reveal their number and which of them failed; so do imports, to a caller restricted to
 * templates.
 */
export async function visibleSources(services: JournalServices, caller: Caller): Promise<readonly string[] | null> {
  const scope = wholeAccountsOf(caller);
  if (scope === null) return null;
  const accounts = await services.accounts.list(scope);
  const groups = await services.cronGroups.list(scope);
  return [
    ...accounts.map((account) => runLogSource('import', account.name)),
    ...groups.map((group) => groupLogSource(group.name)),
  ];
}

interface EntriesRequest {
  readonly limit: number;
  readonly source?: string | undefined;
  readonly before?: LogPlace | undefined;
}

/** The latest entries that the caller may read, newest first; of one component and before a place where these are given. */
export async function visibleEntries(
  services: JournalServices,
  caller: Caller,
  { limit, source, before }: EntriesRequest,
): Promise<readonly LogEntry[]> {
  const { logs } = services.storage;
  const request = { limit, ...(before === undefined ? {} : { before }) };
  const visible = await visibleSources(services, caller);
  const sources = source === undefined ? visible : visible === null || visible.includes(source) ? [source] : [];
  if (sources === null) return logs.latest(request);
  const entries = await Promise.all(sources.map((one) => logs.latest({ ...request, source: one })));
  return entries.flat().sort(newestFirst).slice(0, limit);
}

export function newestFirst(a: LogEntry, b: LogEntry): number {
  return b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1);
}
