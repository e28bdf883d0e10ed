import { cancelPlaybookRun } from '../../../../app/runs/playbooks/operations/cancel-run.ts';
import { listPlaybookRuns } from '../../../../app/runs/playbooks/operations/list-runs.ts';
import { showPlaybookRun } from '../../../../app/runs/playbooks/operations/show-run.ts';
import type { PlaybookRunAnswer } from '../../../../app/runs/playbooks/run-answer.ts';
import { printable, printableLines } from '../../../../app/words/escape.ts';
import type { Column } from '../../../../app/words/print.ts';
import { momentText } from '../../../../app/words/time.ts';
import type { CommandContext } from '../../context.ts';

export interface RunsOptions {
  readonly host?: string;
  readonly limit?: number;
  readonly json?: true;
}

export async function listRunsCommand(context: CommandContext, options: RunsOptions): Promise<void> {
  const { host, limit, json } = options;
  const input = { ...(host === undefined ? {} : { host }), ...(limit === undefined ? {} : { limit }) };
  const { runs } = await context.value(listPlaybookRuns, input);
  if (json) return context.json(runs);
  await context.table(runs, COLUMNS, 'No playbook was run yet.');
}

const COLUMNS: readonly Column<PlaybookRunAnswer>[] = [
  { header: 'run', value: (run) => run.id },
  { header: 'started (UTC)', value: (run) => momentText(run.started_at) },
  {
    header: 'status',
    value: (run) => run.status,
    paint: (text, run, colours) => (isBad(run) ? colours.red(text) : text),
  },
  { header: 'playbook', value: (run) => (run.check_mode ? `${run.playbook} (check)` : run.playbook) },
  { header: 'host', value: (run) => run.hostname ?? `all of ${run.provider}` },
  { header: 'by', value: byWhom },
  { header: 'message', value: (run) => run.message, shrink: true },
];

export async function showRunCommand(context: CommandContext, run: string, options: { json?: true }): Promise<void> {
  const found = await context.value(showPlaybookRun, { run });
  if (options.json) return context.json(found);
  const { colours } = context;
  const status = isBad(found) ? colours.red(found.status) : colours.green(found.status);
  const lines = [
    ['status', found.message === '' ? status : `${status}: ${printable(found.message)}`],
    ['playbook', printable(found.playbook) + (found.check_mode ? ' (check mode: changes nothing)' : '')],
    ['inventory', printable(found.provider)],
    ['host', printable(found.hostname ?? 'all')],
    ['by', printable(byWhom(found))],
    ['started', momentText(found.started_at)],
    ['ended', found.ended_at === null ? '' : momentText(found.ended_at)],
  ];
  for (const [name = '', value = ''] of lines) {
    if (value !== '') await context.result(`${colours.dim(name.padEnd(10))} ${value}\n`);
  }
  if (found.output !== '') await context.result(`\n${printableLines(found.output)}`);
}

export async function cancelRunCommand(context: CommandContext, run: string, options: { json?: true }): Promise<void> {
  const answer = await context.value(cancelPlaybookRun, { run });
  if (options.json) return context.json(answer);
  context.note(`Asked to end ${answer.run}. "muster playbook show ${answer.run}" says when it has ended.`);
}

function isBad({ status }: PlaybookRunAnswer): boolean {
  return status !== 'running' && status !== 'succeeded';
}

function byWhom({ source, started_by: name }: PlaybookRunAnswer): string {
  return source === 'rule' ? `rule ${name}` : name;
}
