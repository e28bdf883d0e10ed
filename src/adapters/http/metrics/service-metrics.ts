import { runLogSource } from '../../../app/journal/run-log.ts';
import { visibleSources } from '../../../app/journal/visible-logs.ts';
import { type Caller, isRestricted } from '../../../app/kernel/caller.ts';
import { ENDING_DAYS } from '../../../app/maintenance/upkeep-watch.ts';
import type { Figures } from '../../../app/runs/figures/figures.ts';
import type { Services } from '../../listener/services.ts';
import { durations, type Family, textOf, withoutNames } from './family.ts';
import { runFamilies } from './run-families.ts';

/**
 * Returns the measurements of synchronisation, the store and the scheduler. Without a caller, the reader may not know names, and
 * gets all accounts together; a restricted caller gets those within the restriction alone.
 */
export async function serviceMetrics(
  services: Services,
  { caller, version }: { readonly caller: Caller | undefined; readonly version: string },
): Promise<string> {
  const { figures, isCurrent } = await services.figures.read();
  const visible = caller === undefined || !isCurrent ? null : await visibleSources(services, caller);
  const isKnown = figures !== undefined && (isCurrent || caller === undefined || !isRestricted(caller));
  const seen = !isKnown ? [] : runFamilies(visible === null ? figures : within(figures, new Set(visible)));
  const all = [
    ...(caller === undefined ? withoutNames(seen) : seen),
    buildFamily(version),
    ...ownFamilies(services, isCurrent),
    await writableFamily(services),
    ...(await upkeepFamilies(services)),
  ];
  return textOf(all);
}

/** Returns imports and groups within a scope. Exports and plans cover all hosts, and would reveal their number. */
function within(figures: Figures, sources: ReadonlySet<string>): Figures {
  return {
    ...figures,
    accounts: figures.accounts.filter(({ kind, account }) => sources.has(runLogSource(kind, account))),
    groups: figures.groups.filter(({ group }) => sources.has(`cron:${group}`)),
    plans: [],
  };
}

/** Measures what needs attention on the machine that answers, as far as it is specific to machines. */
async function upkeepFamilies({ upkeepWatch, clock }: Services): Promise<readonly Family[]> {
  const upkeep = await upkeepWatch.read();
  if (upkeep === undefined) return [];
  const { gauges, free, folders, auditWaitsSince, endingTokens } = upkeep;
  const gauge = (name: string, help: string, values: Family['values'], aggregator: Family['aggregator'] = 'max') =>
    ({ name, help, type: 'gauge', aggregator, values }) as const;
  const one = (value: number | undefined): Family['values'] => (value === undefined ? [] : [{ labels: {}, value }]);
  const seconds = (date: Date | undefined) => (date === undefined ? undefined : date.getTime() / 1000);
  return [
    ...gauges.map(({ name, help, value }) => gauge(name, help, one(value))),
    gauge(
      'muster_disk_free_bytes',
      'Room that is left for the files of the service',
      free.map(({ folder, bytes }) => ({ labels: { folder }, value: bytes })),
      'min',
    ),
    gauge(
      'muster_folder_lasting',
      'Whether files of several nodes are in a folder that all nodes share and that survives a restart',
      folders.map(({ folder, reason }) => ({ labels: { folder }, value: Number(reason === undefined) })),
      'min',
    ),
    gauge(
      'muster_audit_forwarding_oldest_waiting_seconds',
      'How long the oldest entry of the audit log waits to be forwarded, beyond the usual five minutes',
      one(auditWaitsSince === undefined ? 0 : (clock.now().getTime() - auditWaitsSince.getTime()) / 1000),
    ),
    gauge('muster_tokens_ending', `Tokens of users that end within ${ENDING_DAYS} days`, one(endingTokens.length)),
    gauge(
      'muster_token_next_end_timestamp_seconds',
      'When the next of them ends; none when none does so soon',
      one(seconds(endingTokens[0])),
      'min',
    ),
    gauge('muster_documents_waiting', 'Documents that wait for an administrator', one(upkeep.pendingDocuments)),
  ];
}

function buildFamily(version: string): Family {
  const labels = { version, node_version: process.version };
  const help = 'The program that answers; always 1';
  return { name: 'muster_build_info', help, type: 'gauge', aggregator: 'max', values: [{ labels, value: 1 }] };
}

async function writableFamily({ writeWatch }: Services): Promise<Family> {
  const values = [{ labels: {}, value: Number((await writeWatch.reason()) === undefined) }];
  const help = 'Whether the store takes writes: tried, no more often than every five seconds';
  return { name: 'muster_store_writable', help, type: 'gauge', aggregator: 'min', values };
}

function ownFamilies({ timings }: Pick<Services, 'timings'>, isCurrent: boolean): readonly Family[] {
  const store = timings.store.list();
  const tasks = timings.tasks.list();
  return [
    {
      name: 'muster_store_available',
      help: 'Whether the store answered when these figures were read; those of runs are older ones else',
      type: 'gauge',
      aggregator: 'min',
      values: [{ labels: {}, value: Number(isCurrent) }],
    },
    durations(
      { name: 'muster_store_duration_seconds', help: 'How long calls of the store took, of a reading each step' },
      store,
      ({ part, name }) => ({ part, operation: name }),
    ),
    {
      name: 'muster_store_failures_total',
      help: 'Calls of the store that failed',
      type: 'counter',
      aggregator: 'sum',
      values: store.map(({ part, name, failed }) => ({ labels: { part, operation: name }, value: failed })),
    },
    durations(
      { name: 'muster_task_duration_seconds', help: 'How long passes of the scheduler took' },
      tasks,
      ({ name }) => ({ task: name }),
    ),
    {
      name: 'muster_task_failures_total',
      help: 'Passes of the scheduler that failed',
      type: 'counter',
      aggregator: 'sum',
      values: tasks.map(({ name, failed }) => ({ labels: { task: name }, value: failed })),
    },
  ];
}
