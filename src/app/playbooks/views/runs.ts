import { counted, grouped } from '../../../kit/words/amounts.ts';
import { printable, printableLines } from '../../../kit/words/escape.ts';
import { momentText } from '../../../kit/words/moment.ts';
import type { Column, Print } from '../../kernel/print.ts';
import type { PlaybookRunAnswer } from '../run-answer.ts';

export function runsView({ runs }: { readonly runs: readonly PlaybookRunAnswer[] }, print: Print): Promise<void> {
  return print.table(runs, RUN_COLUMNS, 'No playbook was run yet.');
}

export const RUN_COLUMNS: readonly Column<PlaybookRunAnswer>[] = [
  { header: 'run', value: (run) => run.id },
  { header: 'started (UTC)', value: (run) => momentText(run.started_at) },
  {
    header: 'status',
    value: (run) => run.status,
    paint: (text, run, colours) => (isBad(run) ? colours.red(text) : text),
  },
  { header: 'playbook', value: (run) => (run.check_mode ? `${run.playbook} (check)` : run.playbook) },
  { header: 'host', value: hostsText },
  { header: 'by', value: byWhom },
  { header: 'message', value: (run) => run.message, shrink: true },
];

/** One run, and the end of what it printed. */
export async function runView(run: PlaybookRunAnswer & { readonly output: string }, print: Print): Promise<void> {
  const { colours } = print;
  const status = isBad(run) ? colours.red(run.status) : colours.green(run.status);
  const lines = [
    ['status', run.message === '' ? status : `${status}: ${printable(run.message)}`],
    ['playbook', printable(run.playbook) + (run.check_mode ? ' (check mode: changes nothing)' : '')],
    ['inventory', printable(run.provider)],
    ['hosts', printable(run.hostname ?? (run.hosts === null ? 'all' : namesText(run)))],
    ['search', printable(run.search ?? '')],
    ['group', printable(run.group ?? '')],
    ['variables', printable(run.variables.join(', '))],
    ['by', printable(byWhom(run))],
    ['started', momentText(run.started_at)],
    ['ended', run.ended_at === null ? '' : momentText(run.ended_at)],
  ];
  for (const [name = '', value = ''] of lines) {
    if (value !== '') await print.result(`${colours.dim(name.padEnd(10))} ${value}\n`);
  }
  if (run.output !== '') await print.result(`\n${printableLines(run.output)}`);
}

function hostsText({ hostname, hosts, provider }: PlaybookRunAnswer): string {
  return hostname ?? `${hosts === null ? 'all' : counted(hosts, 'host')} of ${provider}`;
}

function namesText({ hosts, first_hosts: first }: PlaybookRunAnswer): string {
  const rest = (hosts ?? 0) - first.length;
  return `${counted(hosts ?? 0, 'host')}: ${first.join(', ')}${rest > 0 ? ` and ${grouped(rest)} more` : ''}`;
}

function isBad({ status }: PlaybookRunAnswer): boolean {
  return status !== 'running' && status !== 'succeeded';
}

function byWhom({ source, started_by: name }: PlaybookRunAnswer): string {
  return source === 'rule' ? `rule ${name}` : name;
}
