import type { Services } from '../../../app/catalogue/services.ts';
import { runLogSource } from '../../../app/journal/run-log.ts';
import { visibleSources } from '../../../app/journal/visible-logs.ts';
import type { Caller } from '../../../app/kernel/caller.ts';
import type { KeptBackup } from '../../../app/maintenance/transfer/kept-backups.ts';
import type { Figures } from '../../../app/runs/figures/figures.ts';
import { durations, type Family, textOf, withoutNames } from './family.ts';
import { runFamilies } from './run-families.ts';

/**
 * What the service measures of synchronisation, its store and its scheduler. Without a caller, who reads it may not know names, and gets all accounts
 * together; a caller who is restricted to accounts gets theirs alone.
 */
export async function serviceMetrics(services: Services, caller: Caller | undefined): Promise<string> {
  const { figures, isCurrent } = await services.figures.read();
  const visible = caller === undefined || !isCurrent ? null : await visibleSources(services, caller);
  const isKnown = figures !== undefined && (isCurrent || caller === undefined || caller.scope === null);
  const seen = !isKnown ? [] : runFamilies(visible === null ? figures : within(figures, new Set(visible)));
  const all = [
    ...(caller === undefined ? withoutNames(seen) : seen),
    ...ownFamilies(services, isCurrent),
    ...(await backupFamilies(services)),
  ];
  return textOf(all);
}

/** Imports and groups within a scope. Exports and plans are of all hosts, and tell how many there are. */
function within(figures: Figures, sources: ReadonlySet<string>): Figures {
  return {
    ...figures,
    accounts: figures.accounts.filter(({ kind, account }) => sources.has(runLogSource(kind, account))),
    groups: figures.groups.filter(({ group }) => sources.has(`cron:${group}`)),
    plans: [],
  };
}

/** Of the machine that answers: nodes keep backups each for itself, or all in one folder. */
async function backupFamilies({ backupWatch }: Pick<Services, 'backupWatch'>): Promise<readonly Family[]> {
  const newest = await backupWatch.newest();
  const gauge = (name: string, help: string, value: (backup: KeptBackup) => number): Family => {
    const values = newest === undefined ? [] : [{ labels: {}, value: value(newest) }];
    return { name, help, type: 'gauge', aggregator: 'max', values };
  };
  return [
    gauge(
      'muster_backup_written_timestamp_seconds',
      'When the newest kept backup was written, and proved by restoring it',
      ({ writtenAt }) => writtenAt.getTime() / 1000,
    ),
    gauge('muster_backup_size_bytes', 'Size of the newest kept backup', ({ bytes }) => bytes),
    gauge('muster_backup_sound', 'Whether the newest kept backup was whole when somebody last looked', ({ note }) =>
      Number(note?.failed_at === undefined),
    ),
  ];
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
