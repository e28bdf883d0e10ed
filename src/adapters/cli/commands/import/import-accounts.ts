import { showAccounts } from '../../../../app/accounts/operations/show-accounts.ts';
import type { Colours, Column } from '../../../../app/kernel/print.ts';
import type { ImportReport } from '../../../../app/runs/import/import-report.ts';
import { importAccount } from '../../../../app/runs/import/operations/import-account.ts';
import {
  importAnswer,
  importOutcome,
  importView,
  recordsView,
} from '../../../../app/runs/import/views/import-report.ts';
import { counted, grouped } from '../../../../kit/words/amounts.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { CommandContext } from '../../context.ts';
import { UsageError } from '../../usage-error.ts';

interface ImportOptions {
  readonly dryRun?: true;
  readonly diff?: true;
  readonly part?: string;
  readonly full?: true;
  readonly inventorize?: true;
  readonly archiveUpTo?: number;
  readonly json?: true;
}

interface ImportAllOptions extends ImportOptions {
  readonly all?: true;
  readonly parallel?: number;
}

export async function importCommand(
  context: CommandContext,
  account: string | undefined,
  options: ImportAllOptions,
): Promise<void> {
  const { all, parallel, dryRun, diff, part, inventorize, archiveUpTo } = options;
  if (diff && !dryRun) throw new UsageError('--diff belongs to --dry-run');
  if ((account === undefined) === (all !== true))
    throw new UsageError('name an account, or import all of them with --all');
  if (account !== undefined) {
    if (parallel !== undefined) throw new UsageError('--parallel belongs to --all');
    return importOne(context, account, options);
  }
  if (diff || part !== undefined || inventorize || archiveUpTo !== undefined) {
    throw new UsageError('--diff, --part, --inventorize and --archive-up-to are for one account, and not for --all');
  }
  return importAll(context, options);
}

function inputOf(account: string, { dryRun, diff, part, full, inventorize, archiveUpTo }: ImportOptions) {
  return {
    account,
    dry_run: dryRun === true,
    diff: diff === true,
    full: full === true,
    inventorize: inventorize === true,
    ...(part !== undefined && { part }),
    ...(archiveUpTo !== undefined && { archive_up_to: archiveUpTo }),
  };
}

async function importOne(context: CommandContext, account: string, options: ImportOptions): Promise<void> {
  const input = inputOf(account, options);
  const report = await context.longValue(`Importing ${account}`, importAccount, input);
  if (options.json) await context.json(importAnswer(report, input));
  else await importView(report, context, input);
  importOutcome(report, context, input);
}

/** Records that are named for each account; its own import names more. */
const NAMED_OF_EACH = 5;

function isLeftOut(name: string): boolean {
  return name === 'skipped' || name === 'conflicts';
}

/** Result of an account: its report, or the reason there is none. */
interface Outcome {
  readonly account: string;
  readonly report?: ImportReport;
  readonly message: string;
  readonly failed: boolean;
}

/** Goes on behind one that fails, so that a broken source keeps no other from being read. */
async function importAll(context: CommandContext, options: ImportAllOptions): Promise<void> {
  const { accounts } = await context.value(showAccounts, {});
  const sources = accounts.filter(({ enabled, kind }) => enabled && (kind === 'source' || kind === 'both'));
  // Accounts that contribute find only hosts that their owners have imported.
  const owners = sources.filter(({ contributes }) => !contributes);
  const outcomes: Outcome[] = [];
  for (const group of [owners, sources.filter((source) => !owners.includes(source))]) {
    const waiting = group.map(({ name }) => name).entries();
    const done = outcomes.length;
    const work = async (): Promise<void> => {
      for (const [place, account] of waiting) {
        context.terminal.signal.throwIfAborted();
        outcomes[done + place] = await outcomeOf(context, account, options);
      }
    };
    await Promise.all(Array.from({ length: options.parallel ?? 1 }, work));
  }
  if (outcomes.some(({ failed }) => failed)) context.failed();
  if (options.json) return context.json(outcomes.map((outcome) => outcomeAnswer(outcome, options)));
  await context.table(outcomes, COLUMNS, 'There is no enabled account that is a source.');
  for (const { account, report } of outcomes) {
    if (report !== undefined) recordsView(report, context, NAMED_OF_EACH, `${account}: `);
  }
  const failed = outcomes.filter((outcome) => outcome.failed).length;
  if (failed > 0)
    context.note(context.noteColours.red(`muster: ${counted(failed, 'import')} of ${sources.length} did not succeed`));
}

async function outcomeOf(context: CommandContext, account: string, options: ImportOptions): Promise<Outcome> {
  try {
    const report = await context.longValue(`Importing ${account}`, importAccount, inputOf(account, options));
    return { account, report, message: report.message, failed: report.status !== 'done' };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'cancelled' || context.terminal.signal.aborted) throw error;
    return { account, message: error.message, failed: true };
  }
}

function outcomeAnswer({ account, report, message }: Outcome, options: ImportOptions): object {
  return report === undefined
    ? { account, status: 'failed', message }
    : importAnswer(report, inputOf(account, options));
}

const COLUMNS: readonly Column<Outcome>[] = [
  { header: 'account', value: ({ account }) => account, paint: (text, _outcome, colours) => colours.bold(text) },
  {
    header: 'status',
    value: ({ report }) => report?.status ?? 'failed',
    paint: (text, { failed }, colours) => (failed ? colours.red(text) : colours.green(text)),
  },
  ...(['seen', 'created', 'updated', 'unchanged', 'archived', 'skipped', 'conflicts'] as const).map(
    (name): Column<Outcome> => ({
      header: name,
      align: 'right',
      value: ({ report }) => (report === undefined ? '' : grouped(report.summary[name])),
      ...(isLeftOut(name) && {
        paint: (text: string, { report }: Outcome, colours: Colours) =>
          (report?.summary[name] ?? 0) > 0 ? colours.yellow(text) : text,
      }),
    }),
  ),
  { header: 'message', value: ({ message, failed }) => (failed ? message : ''), shrink: true },
];
