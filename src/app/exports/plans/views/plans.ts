import { textOf } from '../../../../kit/worded.ts';
import { counted, grouped } from '../../../../kit/words/amounts.ts';
import { printable, shellWord } from '../../../../kit/words/escape.ts';
import { momentText } from '../../../../kit/words/moment.ts';
import type { Column, Print } from '../../../kernel/print.ts';
import { troubleView } from '../../../runs/views/trouble.ts';
import type { PlanAnswer, PlanEntryAnswer } from '../plan-answer.ts';
import { countsWording } from '../said-counts.ts';
import { PLAN_STATUS_WORDS } from '../words.ts';

type WithEntries = PlanAnswer & { readonly entries: readonly PlanEntryAnswer[]; readonly next: number | null };

export function plansView({ plans }: { readonly plans: readonly PlanAnswer[] }, print: Print): Promise<void> {
  return print.table(plans, PLAN_COLUMNS, 'There is no plan yet; "muster plan <account>" makes one.');
}

export const PLAN_COLUMNS: readonly Column<PlanAnswer>[] = [
  { header: 'plan', value: ({ id }) => id },
  { header: 'made (UTC)', value: (plan) => momentText(plan.made_at) },
  { header: 'account', value: ({ account }) => account },
  { header: 'by', value: (plan) => plan.made_by },
  {
    header: 'status',
    value: statusText,
    paint: (text, plan, colours) => (isBad(plan) ? colours.red(text) : text),
  },
  { header: 'changes', value: ({ counts }) => textOf(countsWording(counts)) },
  { header: 'message', value: ({ message }) => message, shrink: true },
];

/** Prints the planned changes, and what to do with the plan. */
export async function planMadeView(plan: PlanAnswer, print: Print): Promise<void> {
  await print.result(`${plan.id}\n`);
  print.note(`${plan.account}: ${textOf(countsWording(plan.counts))}`);
  if (plan.drift > 0) print.note(`${counted(plan.drift, 'object')} changed there since the last export`);
  if (plan.message !== '') print.note(print.noteColours.yellow(printable(plan.message)));
  const id = shellWord(plan.id);
  if (plan.status === 'refused') print.failed();
  else if (plan.needs_approval) print.note(`It waits for approval: another user runs "muster plan approve ${id}".`);
  else print.note(`"muster plan show ${id}" shows it, "muster apply ${id}" does it.`);
}

export async function planView(plan: WithEntries, print: Print): Promise<void> {
  await print.fields([
    ['plan', plan.id],
    ['account', plan.account],
    ['status', statusText(plan)],
    ['made', `${momentText(plan.made_at)} by ${plan.made_by}`],
    ...(plan.approved_by === null ? [] : [['approved', `by ${plan.approved_by}`] as const]),
    ...(plan.applied_by === null || plan.applied_at === null
      ? []
      : [['applied', `${momentText(plan.applied_at)} by ${plan.applied_by}`] as const]),
    ['changes', textOf(countsWording(plan.counts))],
    ...(plan.drift === 0 ? [] : [['changed there', counted(plan.drift, 'object')] as const]),
    ...(plan.message === '' ? [] : [['message', plan.message] as const]),
  ]);
  for (const entry of plan.entries) await print.result(`\n${entryText(entry, print)}`);
  if (plan.next !== null) print.note(`There are more changes: --after ${plan.next}`);
}

/** One change as a person reads it: what, of whom, and the fields below. */
export function entryText(entry: PlanEntryAnswer, { colours }: Pick<Print, 'colours'>): string {
  const from = entry.previous_key === null ? '' : ` (was ${printable(entry.previous_key)})`;
  const host = entry.hostname === null || entry.hostname === entry.key ? '' : ` for ${printable(entry.hostname)}`;
  const drift = entry.drift ? ' (changed there)' : '';
  const what = `${entry.action} ${printable(entry.kind)} ${printable(entry.key)}${from}${host}${drift}`;
  const outcome = entry.outcome === null || entry.outcome === 'done' ? '' : ` ${entry.outcome}`;
  const reason = entry.reason === '' ? '' : `: ${printable(entry.reason)}`;
  const paint = entry.action === 'delete' || outcome !== '' ? colours.red : colours.bold;
  const lines = [paint(`${what}${outcome}${reason}`)];
  if (entry.rule !== null) lines.push(colours.dim(`  wanted by ${ruleText(entry.rule)}`));
  for (const { name, before, after } of entry.fields) {
    const was = before === undefined ? '' : `${valueText(before)} → `;
    lines.push(`  ${printable(name)}: ${was}${valueText(after)}`);
  }
  return `${lines.join('\n')}\n`;
}

function ruleText({ id, type, name }: NonNullable<PlanEntryAnswer['rule']>): string {
  return name === '' ? `rule ${printable(id)}` : `rule "${printable(name)}" (${printable(type)})`;
}

function valueText(value: unknown): string {
  return printable(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}

export function planApprovedView(plan: PlanAnswer, print: Print): void {
  print.note(`Plan ${plan.id} is approved; "muster apply ${shellWord(plan.id)}" does it.`);
}

export function planDiscardedView(plan: PlanAnswer, print: Print): void {
  print.note(`Plan ${plan.id} is discarded; "muster plan ${shellWord(plan.account)}" makes another one.`);
}

type Applied = PlanAnswer & { readonly failures: readonly { readonly hostname: string; readonly reason: string }[] };

export async function appliedView(plan: Applied, print: Print): Promise<void> {
  await print.result(`${grouped(plan.done)} done, ${grouped(plan.failed)} not done\n`);
  const lines = plan.failures.map(({ hostname, reason }) => `${hostname}: ${reason}`);
  troubleView(lines, plan.failed, 'more change', print);
}

export function appliedOutcome(plan: Applied, print: Print): void {
  if (plan.status === 'done') return;
  print.note(print.noteColours.red(`muster: plan ${plan.id} is not done: ${printable(plan.message)}`));
  if (plan.status === 'interrupted') print.note(`"muster apply ${shellWord(plan.id)}" continues it.`);
  print.failed();
}

function statusText({ status, needs_approval, approved_by }: PlanAnswer): string {
  if (status === 'ready' && needs_approval && approved_by === null) return 'waits for approval';
  return PLAN_STATUS_WORDS[status];
}

function isBad({ status }: PlanAnswer): boolean {
  return status === 'refused' || status === 'failed' || status === 'partial' || status === 'interrupted';
}
