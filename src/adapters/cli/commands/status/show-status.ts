import { showAccounts } from '../../../../app/accounts/operations/show-accounts.ts';
import { hostCounters } from '../../../../app/hosts/operations/host-counters.ts';
import type { ValueOperation } from '../../../../app/kernel/operation.ts';
import type { Column } from '../../../../app/kernel/print.ts';
import type { Ask, Need } from '../../../../app/maintenance/upkeep-parts.ts';
import { listActiveRuns } from '../../../../app/runs/active/operations/list-active-runs.ts';
import { waitingText } from '../../../../app/runs/active/words.ts';
import { counted, grouped } from '../../../../kit/words/amounts.ts';
import { printable } from '../../../../kit/words/escape.ts';
import { momentText } from '../../../../kit/words/moment.ts';
import { FEATURES } from '../../../../main/features.ts';
import type { CommandContext } from '../../context.ts';

type Accounts = Awaited<ReturnType<typeof showAccounts.run>>['accounts'];

export async function statusCommand(context: CommandContext, { json }: { readonly json?: true }): Promise<void> {
  const hosts = await context.value(hostCounters, {});
  const ask = askOnce(context);
  const { accounts } = await ask(showAccounts, {});
  const { runs, waiting } = await context.value(listActiveRuns, {});
  const attention = await attentionOf(ask);
  if (attention.length > 0) context.failed();
  if (json) return context.json({ ok: attention.length === 0, hosts, accounts, runs, waiting, attention });
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
  for (const { kind, account, started_by, started_at, node } of runs) {
    const place = node === null ? '' : ` on ${printable(node)}`;
    await context.result(
      `\nruns now: ${kind} of ${printable(account)} by ${printable(started_by)} since ${momentText(started_at)}${place}\n`,
    );
  }
  for (const job of waiting) await context.result(`\n${printable(waitingText(job))}\n`);
  if (attention.length === 0) return context.result(`\n${colours.green('Everything is all right.')}\n`);
  await context.result(`\n${colours.yellow('Needs attention')}\n`);
  for (const { what, message, command } of attention) {
    await context.result(`  ${colours.bold(printable(what))}  ${printable(message)}\n    ${colours.dim(command)}\n`);
  }
}

/** Asks each operation once: accounts are shown, and some may need attention. */
function askOnce(context: CommandContext): Ask {
  const answers = new Map<string, Promise<unknown>>();
  return async <Input, Output>(operation: ValueOperation<Input, Output>, input: unknown) => {
    const key = `${operation.name} ${JSON.stringify(input)}`;
    const answer = answers.get(key) ?? context.value(operation, input);
    answers.set(key, answer);
    return answer as Promise<Output>;
  };
}

async function attentionOf(ask: Ask): Promise<readonly Need[]> {
  const needs: Need[] = [];
  for (const feature of FEATURES) needs.push(...((await feature.attention?.(ask)) ?? []));
  return needs;
}

/** Outcomes of runs that had no error but are not done. */
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
