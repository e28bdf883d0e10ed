import * as z from 'zod';
import { AppError, type LogHead } from '../../../ports/index.ts';
import { type Limits, wholeAccountsOf } from '../../kernel/caller.ts';
import { logAnswer, logEntrySchema } from '../log-answer.ts';
import { momentsFor } from '../moments.ts';
import { groupLogSource, runLogSource } from '../run-log.ts';
import { defineOperation, type JournalServices } from '../services.ts';
import { accountLogSources, newestFirst, visibleSources } from '../visible-logs.ts';

export const getServiceLog = defineOperation({
  name: 'syncer/get-service-log',
  title: 'Latest log entry of a component',
  description: 'The most recent log entry of one component.',
  effect: 'read',
  roles: ['syncer'],
  weight: 'light',
  at: { rest: { path: 'GET /syncer/services/:service_name', errors: ['not_found'] } },
  input: z.object({
    service_name: z
      .string()
      .describe('The source ident written to the log, or one of an existing installation such as csv_import'),
  }),
  output: z.object({ result: logEntrySchema }),
  async run({ service_name }, { services, caller }) {
    const visible = await visibleSources(services, caller);
    const latest = (source: string) =>
      visible === null || visible.includes(source) ? services.storage.logs.latest({ limit: 1, source }) : [];
    const [own] = await latest(service_name);
    // An account's name stands for its imports and exports, which log under idents of their own.
    const runs = own === undefined ? (await Promise.all(accountLogSources(service_name).map(latest))).flat() : [];
    const sources = await sourcesBehind(services, caller, service_name);
    const behind = sources.length === 0 ? undefined : newestOf(await services.storage.logs.newestBySource(), sources);
    const old = behind === undefined ? [] : await latest(behind.source);
    const entry = [...old, ...(own === undefined ? runs : [own])].sort(newestFirst)[0];
    if (entry === undefined) throw new AppError('not_found', `component ${service_name} has never written to the log`);
    return { result: logAnswer(entry, caller, momentsFor(services.config, caller)) };
  },
});

/** The ident of the scheduler in existing installations, for all groups. */
const SCHEDULER = 'cron';
/** The idents of the pass over autorules, there and here. */
const AUTORULES = { there: 'RuleCreation', here: 'Autorules' };

/**
 * The components here that do what existing installations log under an ident: imports and exports of the accounts whose jobs have it, all
 * cron groups for `cron`. A job that runs by its old name leaves an entry under the ident itself as well; these are for what runs in
 * another way. Empty for every other ident.
 */
async function sourcesBehind(
  { accounts, cronGroups, plugins }: Pick<JournalServices, 'accounts' | 'cronGroups' | 'plugins'>,
  caller: Limits,
  ident: string,
): Promise<readonly string[]> {
  const scope = wholeAccountsOf(caller);
  if (ident === SCHEDULER) return (await cronGroups.list(scope)).map(({ name }) => groupLogSource(name));
  if (ident === AUTORULES.there) return [AUTORULES.here];
  const kinds = new Map<string, 'import' | 'export'>();
  for (const { job, system, logsAs } of plugins.jobNames()) {
    if (!logsAs.includes(ident) || job === undefined || system === undefined) continue;
    kinds.set(system.accountType, job === 'Export' ? 'export' : 'import');
  }
  if (kinds.size === 0) return [];
  return (await accounts.list(scope)).flatMap(({ name, type }) => {
    const kind = kinds.get(type);
    return kind === undefined ? [] : runLogSource(kind, name);
  });
}

/** The newest of what these components wrote last. */
function newestOf(heads: readonly LogHead[], sources: readonly string[]): LogHead | undefined {
  const wanted = new Set(sources);
  const own = heads.filter(({ source }) => wanted.has(source));
  return own.reduce<LogHead | undefined>(
    (best, head) => (best === undefined || head.at > best.at ? head : best),
    undefined,
  );
}
