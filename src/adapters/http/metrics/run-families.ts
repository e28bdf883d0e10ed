import type { Figures } from '../../../app/runs/figures/figures.ts';
import type { Family, Sample } from './family.ts';

/** Returns the measurements of synchronisation. Labels are of accounts and groups, never of hosts. */
export function runFamilies({ accounts, groups, plans, active, outbox, readAt }: Figures): readonly Family[] {
  const ofAccount = ({ kind, account }: Figures['accounts'][number]) => ({ kind, account });
  return [
    counter(
      'muster_runs_total',
      'Imports and exports that ended since this process began, by how: done, partial, failed, waiting for approval',
      accounts.flatMap((each) => samples({ ...ofAccount(each) }, 'outcome', each.runs)),
    ),
    counter(
      'muster_run_hosts_total',
      'Hosts or objects in these runs, by what happened to them',
      accounts.flatMap((each) => samples({ ...ofAccount(each) }, 'outcome', each.hosts)),
    ),
    gauge(
      'muster_run_last_complete_timestamp_seconds',
      'When a run of an enabled account last did all that it was to do',
      'min',
      accounts.flatMap((each) =>
        each.completeAt === undefined ? [] : { labels: ofAccount(each), value: seconds(each.completeAt) },
      ),
    ),
    gauge(
      'muster_run_last_duration_seconds',
      'How long the newest run took',
      'max',
      accounts.flatMap((each) =>
        each.lastSeconds === undefined ? [] : { labels: ofAccount(each), value: each.lastSeconds },
      ),
    ),
    gauge('muster_runs_active', 'Runs that are active now, on all nodes', 'sum', samples({}, 'kind', active)),
    ...groupFamilies(groups),
    ...planFamilies(plans),
    gauge('muster_outbox_messages', 'Notifications that wait to be sent, and that were given up', 'sum', [
      { labels: { state: 'waiting' }, value: outbox.waiting },
      { labels: { state: 'dead' }, value: outbox.dead },
    ]),
    gauge('muster_outbox_oldest_waiting_seconds', 'For how long the oldest of them waits; 0 when none does', 'max', [
      {
        labels: {},
        value: outbox.oldestWaitingAt === null ? 0 : Math.max(0, seconds(readAt) - seconds(outbox.oldestWaitingAt)),
      },
    ]),
  ];
}

function groupFamilies(groups: Figures['groups']): readonly Family[] {
  return [
    counter(
      'muster_cron_group_runs_total',
      'Runs of cron groups that ended since this process began, by how: done, failed',
      groups.flatMap(({ group, runs }) => samples({ group }, 'outcome', runs)),
    ),
    gauge(
      'muster_cron_group_last_start_timestamp_seconds',
      'When a cron group last began',
      'min',
      groups.flatMap(({ group, lastStart }) =>
        lastStart === undefined ? [] : { labels: { group }, value: seconds(lastStart) },
      ),
    ),
    gauge(
      'muster_cron_group_running',
      'Whether a cron group runs',
      'sum',
      groups.map(({ group, running }) => ({ labels: { group }, value: Number(running) })),
    ),
    gauge(
      'muster_cron_group_failed',
      'Whether the last run of a cron group that ended failed',
      'sum',
      groups.map(({ group, failed }) => ({ labels: { group }, value: Number(failed) })),
    ),
  ];
}

function planFamilies(plans: Figures['plans']): readonly Family[] {
  return [
    gauge(
      'muster_plan_entries',
      'Size of the newest plan of an account, by what it does',
      'sum',
      plans.flatMap(({ account, counts }) => samples({ account }, 'action', { ...counts })),
    ),
    gauge(
      'muster_plan_made_timestamp_seconds',
      'When the newest plan of an account was made',
      'max',
      plans.map(({ account, madeAt }) => ({ labels: { account }, value: seconds(madeAt) })),
    ),
    gauge(
      'muster_plans_waiting_approval',
      'Plans that wait for approval',
      'sum',
      plans.map(({ account, waiting }) => ({ labels: { account }, value: waiting })),
    ),
  ];
}

function samples(labels: Sample['labels'], label: string, counts: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(counts).map(([name, value]) => ({ labels: { ...labels, [label]: name }, value }));
}

function counter(name: string, help: string, values: readonly Sample[]): Family {
  return { name, help, type: 'counter', aggregator: 'sum', values };
}

function gauge(name: string, help: string, aggregator: Family['aggregator'], values: readonly Sample[]): Family {
  return { name, help, type: 'gauge', aggregator, values };
}

function seconds(at: Date): number {
  return at.getTime() / 1000;
}
