import { FEATURES } from '../../../../../generated/features.ts';
import { showAccounts } from '../../../../app/accounts/operations/show-accounts.ts';
import { listPlans } from '../../../../app/exports/plans/operations/list-plans.ts';
import { hostCounters } from '../../../../app/hosts/operations/host-counters.ts';
import type { Column } from '../../../../app/kernel/print.ts';
import { runDoctor } from '../../../../app/maintenance/operations/run-doctor.ts';
import { listWaiting } from '../../../../app/rules/operations/list-waiting.ts';
import { listActiveRuns } from '../../../../app/runs/active/operations/list-active-runs.ts';
import { listCronGroups } from '../../../../app/runs/cron/operations/list-groups.ts';
import { counted, grouped } from '../../../../kit/words/amounts.ts';
import { printable, shellWord } from '../../../../kit/words/escape.ts';
import { momentText } from '../../../../kit/words/moment.ts';
import type { CommandContext } from '../../context.ts';

/** Plans that are looked at for approvals that wait. */
const PLANS = 100;

/** What somebody should look at, and how. */
interface Attention {
  readonly what: string;
  readonly message: string;
  readonly command: string;
}

type Accounts = Awaited<ReturnType<typeof showAccounts.run>>['accounts'];

export async function statusCommand(context: CommandContext, { json }: { readonly json?: true }): Promise<void> {
  const hosts = await context.value(hostCounters, {});
  const { accounts } = await context.value(showAccounts, {});
  const { runs } = await context.value(listActiveRuns, {});
  const attention = await attentionOf(context, accounts);
  if (attention.length > 0) context.failed();
  if (json) return context.json({ ok: attention.length === 0, hosts, accounts, runs, attention });
  const { colours } = context;
  const late = hosts.not_updated_last_24h === 0 ? '' : `, ${grouped(hosts.not_updated_last_24h)} not seen for a day`;
  await context.result(
    `${colours.bold(counted(hosts.num_hosts, 'host'))}, ${counted(hosts.num_objects, 'object')}${late}\n`,
  );
  const running = accounts.filter(({ kind }) => kind !== 'api');
  if (running.length > 0) {
    await context.result('\n');
    await context.table(running, ACCOUNT_COLUMNS, '');
  }
  for (const { kind, account, started_by, started_at } of runs) {
    await context.result(
      `\nruns now: ${kind} of ${printable(account)} by ${printable(started_by)} since ${momentText(started_at)}\n`,
    );
  }
  if (attention.length === 0) return context.result(`\n${colours.green('Everything is all right.')}\n`);
  await context.result(`\n${colours.yellow('Needs attention')}\n`);
  for (const { what, message, command } of attention) {
    await context.result(`  ${colours.bold(printable(what))}  ${printable(message)}\n    ${colours.dim(command)}\n`);
  }
}

async function attentionOf(context: CommandContext, accounts: Accounts): Promise<readonly Attention[]> {
  const { findings } = await context.value(runDoctor, {});
  const { waiting } = await context.value(listWaiting, { limit: PLANS });
  const { plans } = FEATURES.has('exports') ? await context.value(listPlans, { limit: PLANS }) : { plans: [] };
  const { groups } = await context.value(listCronGroups, {});
  return [
    ...findings
      .filter(({ ok }) => !ok)
      .map(({ check, message }) => ({ what: check, message, command: 'muster doctor' })),
    ...accounts.flatMap(attentionOfRun),
    ...groups
      .filter(({ has_error }) => has_error)
      .map(({ name, last_message }) => ({
        what: `cron group ${name}`,
        message: last_message,
        command: 'muster cron status',
      })),
    ...waiting.map(({ rule_type, name, acts }) => ({
      what: `${rule_type} ${name}`,
      message: `waits for an administrator: it ${acts.join(', ')}`,
      command: `muster rules confirm ${shellWord(rule_type)} ${shellWord(name)}`,
    })),
    ...plans
      .filter(({ status, needs_approval, approved_by }) => status === 'ready' && needs_approval && approved_by === null)
      .map(({ id, account }) => ({
        what: `plan of ${account}`,
        message: 'waits for approval',
        command: `muster plan show ${shellWord(id)}`,
      })),
  ];
}

function attentionOfRun({ name, enabled, last_run: run, undone }: Accounts[number]): readonly Attention[] {
  if (!enabled || run === null) return [];
  const what = `${run.kind} of ${name}`;
  if (undone !== null) {
    return [{ what, message: `${undone.message}. ${undone.advice}`, command: `muster import ${shellWord(name)}` }];
  }
  return run.has_error ? [{ what, message: run.message, command: `muster logs --source ${shellWord(name)}` }] : [];
}

/** Of runs without an error: what is not all done with them. */
const OUTCOMES: Readonly<Partial<Record<string, string>>> = { waiting: 'waits', discarded: 'discarded' };

/** Records that a run read and did not write, such as the second one of a name, as its message counts them. */
const LEFT_OUT = /[1-9][\d,]* (skipped|conflicts?)\b/;

const ACCOUNT_COLUMNS: readonly Column<Accounts[number]>[] = [
  { header: 'account', value: ({ name }) => name, paint: (text, _account, colours) => colours.bold(text) },
  { header: 'hosts', align: 'right', value: ({ hosts }) => grouped(hosts) },
  {
    header: 'last run',
    value: ({ enabled, last_run }) => (!enabled ? 'disabled' : last_run === null ? 'never' : momentText(last_run.time)),
  },
  {
    header: 'outcome',
    value: ({ last_run, undone }) =>
      last_run === null
        ? ''
        : undone !== null
          ? 'undone'
          : last_run.has_error
            ? 'failed'
            : `${OUTCOMES[last_run.outcome] ?? 'done'}${LEFT_OUT.test(last_run.message) ? ' !' : ''}`,
    paint: (text, { last_run, undone }, colours) =>
      last_run?.has_error === true
        ? colours.red(text)
        : undone !== null || text.endsWith('!')
          ? colours.yellow(text)
          : colours.green(text),
  },
  { header: 'message', value: ({ last_run }) => last_run?.message ?? '', shrink: true },
];
