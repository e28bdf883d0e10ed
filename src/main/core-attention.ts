import { showAccounts } from '../app/accounts/operations/show-accounts.ts';
import { runDoctor } from '../app/maintenance/operations/run-doctor.ts';
import type { Ask, Need } from '../app/maintenance/upkeep-parts.ts';
import { listWaiting } from '../app/rules/operations/list-waiting.ts';
import { listCronGroups } from '../app/runs/cron/operations/list-groups.ts';
import { shellWord } from '../kit/words/escape.ts';

const DOCUMENTS = 100;

/** Findings of doctor, accounts whose last run failed or was undone, failed cron groups, and documents that wait. */
export async function coreAttention(ask: Ask): Promise<readonly Need[]> {
  const { findings } = await ask(runDoctor, {});
  const { waiting } = await ask(listWaiting, { limit: DOCUMENTS });
  const { accounts } = await ask(showAccounts, {});
  const { groups } = await ask(listCronGroups, {});
  return [
    ...findings
      .filter(({ ok }) => !ok)
      .map(({ check, message }) => ({ what: check, message, command: 'muster doctor' })),
    ...accounts.flatMap(needOfRun),
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
  ];
}

type Account = Awaited<ReturnType<typeof showAccounts.run>>['accounts'][number];

function needOfRun({ name, enabled, last_run: run, undone }: Account): readonly Need[] {
  if (!enabled || run === null) return [];
  const what = `${run.kind} of ${name}`;
  if (undone !== null) {
    return [{ what, message: `${undone.message}. ${undone.advice}`, command: `muster import ${shellWord(name)}` }];
  }
  return run.has_error ? [{ what, message: run.message, command: `muster logs --source ${shellWord(name)}` }] : [];
}
