import * as z from 'zod';
import type { ImportGap } from '../../../../kit/summaries/import-summary.ts';
import { detailOf, messageOf, type Said, saidBy, saidIn, textOf, worded, wordingFor } from '../../../../kit/worded.ts';
import { counted } from '../../../../kit/words/amounts.ts';
import { AppError } from '../../../../ports/index.ts';
import { type Account, requireAllowed, requireEnabled } from '../../../accounts/account-directory.ts';
import { accountKind, sourceTypeOf } from '../../../accounts/account-types.ts';
import { accountNameSchema } from '../../../accounts/operations/show-account.ts';
import { keepHostCounts } from '../../../hosts/host-counts.ts';
import { appendRunLog } from '../../../journal/run-log.ts';
import type { Caller } from '../../../kernel/caller.ts';
import { SizeBudget } from '../../../kernel/size-budget.ts';
import { type ActiveRunContext, asActiveRun } from '../../active/as-active-run.ts';
import type { RunServices } from '../../services.ts';
import { defineOperation } from '../../services.ts';
import { importReportSchema } from '../import-report.ts';
import { runImport } from '../import-run.ts';
import { type OpenedSource, openSource } from '../open-source.ts';

const MAX_DIFFS = 10_000;

export const importAccount = defineOperation({
  name: 'imports/import-account',
  title: 'Import',
  description: 'Imports the hosts of an account from its source. A failed, empty or partial read archives nothing.',
  effect: 'write',
  roles: ['admin'],
  weight: 'heavy',
  at: { page: true },
  previews: ({ dry_run }) => dry_run === true,
  input: z.object({
    account: accountNameSchema,
    dry_run: z.boolean().default(false).describe('Only the summary; nothing is written'),
    diff: z.boolean().default(false).describe('With dry_run: what would change in each host'),
    part: z.string().min(1).optional().describe('The part of the source to read; absent: all of them'),
    full: z
      .boolean()
      .default(false)
      .describe('Reads everything, also where the account reads only what changed since its last run'),
    inventorize: z
      .boolean()
      .default(false)
      .describe('Fills the inventory section inventorize_key of hosts that exist; creates and archives none'),
    archive_up_to: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe(
        'Lifts delete_threshold_percent for this run alone: it archives at most this many hosts, and none if more are gone',
      ),
  }),
  output: importReportSchema,
  subject: (input) => input.account,
  hasFailed: ({ status }) => status === 'failed',
  async run(input, context) {
    const { services, caller } = context;
    const { account: name, part, inventorize, dry_run } = input;
    const account = await services.accounts.inScope(name, caller.scope);
    requireEnabled(account);
    requireAllowed(account, inventorize ? 'inventorize' : 'import');
    // Nothing that the log of its exports should know of.
    if (accountKind(services, account.type) === 'target') sourceTypeOf(services, account);
    if (dry_run) return importOf(context, account, input);
    const work = (running: ActiveRunContext) => importOf(running, account, input);
    return asActiveRun(context, { kind: 'import', account, part }, work);
  },
});

interface ImportInput {
  readonly dry_run: boolean;
  readonly diff: boolean;
  readonly part?: string | undefined;
  readonly full: boolean;
  readonly inventorize: boolean;
  readonly archive_up_to?: number | undefined;
}

/** One run of an account; a dry run may be of one that is not stored. */
export async function importOf(
  {
    services,
    caller,
    signal,
    progress,
    runId,
  }: Pick<ActiveRunContext, 'services' | 'caller' | 'signal' | 'progress' | 'runId'>,
  account: Account,
  { dry_run, diff, part, full, inventorize, archive_up_to }: ImportInput,
): Promise<z.infer<typeof importReportSchema>> {
  const opened = await openLogged(services, account, { dryRun: dry_run, runId });
  if (part !== undefined) requirePart(opened, account, part);
  const diffs: { hostname: string; outcome: 'created' | 'updated'; changes: { path: string }[] }[] = [];
  const room = new SizeBudget();
  let notShown = 0;
  const { hosts, relations, marks, logs } = services.storage;
  const report = await runImport(
    {
      hosts,
      relations,
      marks,
      logs,
      clock: services.clock,
      logger: services.logger,
      newId: services.newId,
      openScratch: () => services.openScratch(),
    },
    {
      account,
      source: opened.source,
      options: opened.common,
      worthless: services.config.WORTHLESS_VALUES,
      hostnameField: opened.hostnameField,
      template: opened.template,
      parts: opened.parts.map(({ id }) => id),
      section: opened.parts.find(({ id }) => id === part)?.section,
      part,
      changes: { ...opened.changes, full },
      inventorize,
      archiveUpTo: archive_up_to,
      collectTemplate: opened.collectTemplate,
      mask: (text) => opened.mask(text),
      signal,
      entryId: runId,
      dryRun: dry_run,
      onDiff: diff
        ? (entry) => {
            if (diffs.length < MAX_DIFFS && room.takes(entry)) diffs.push({ ...entry, changes: [...entry.changes] });
            else notShown++;
          }
        : undefined,
      progress: ({ seen, done, total }) =>
        progress({ done, unit: 'bytes', note: counted(seen, 'record'), ...(total === undefined ? {} : { total }) }),
    },
  );
  if (!dry_run) await noteHostCounts(services);
  const said = messageOf(
    notShown === 0
      ? saidIn(report)
      : notShown === 1
        ? worded`${{ first: saidIn(report) }}; the changes of 1 more host are not shown`
        : worded`${{ first: saidIn(report) }}; the changes of ${{ count: notShown }} more hosts are not shown`,
  );
  return {
    account: account.name,
    status: report.status,
    message: said.message,
    ...wordingFor(caller, said.wording),
    cancelled: report.cancelled,
    changes_only: report.changesOnly,
    summary: { ...report.summary },
    not_written: report.notWritten.map((record) => ({ ...record, ...reasonAnswer(caller, record) })),
    not_written_total: report.notWrittenTotal,
    gaps: report.gaps.map((gap) => gapAnswer(caller, gap)),
    gaps_total: report.gapsTotal,
    archived_sample: [...report.archivedSample],
    refused: report.refused,
    unseen: report.unseen.count,
    unseen_sample: [...report.unseen.sample],
    withdrawn: report.withdrawn,
    left_out: report.leftOut,
    emptied: report.emptied,
    renamed: report.renamed,
    renamed_sample: report.renamedSample.map((rename) => ({ ...rename })),
    key_conflicts: report.keyConflicts.map((conflict) => ({ ...conflict, ...reasonAnswer(caller, conflict) })),
    key_conflicts_total: report.keyConflictsTotal,
    warnings: report.warnings.map((warning) => ({ ...warning, ...reasonAnswer(caller, warning) })),
    warnings_total: report.warningsTotal,
    relations: { ...report.relations },
    diffs,
  };
}

function gapAnswer(caller: Caller, { what, reason }: ImportGap) {
  const { wording: what_wording } = wordingFor(caller, messageOf(what).wording);
  return {
    what: textOf(what),
    ...(what_wording === undefined ? {} : { what_wording }),
    ...reasonAnswer(caller, { reason }),
  };
}

function reasonAnswer(caller: Caller, { reason }: { readonly reason: Said }) {
  const { message, wording } = messageOf(reason);
  return { reason: message, ...wordingFor(caller, wording) };
}

/** The import is over, whatever becomes of this. */
async function noteHostCounts(services: RunServices): Promise<void> {
  try {
    await keepHostCounts(services);
  } catch (error) {
    services.logger.warn('the hosts could not be counted for the chart of days; maintenance counts them again', {
      error,
    });
  }
}

function requirePart({ parts }: OpenedSource, { name, type }: Account, part: string): void {
  if (parts.some(({ id }) => id === part)) return;
  const known = parts.map(({ id, title }) => `${id} (${title})`).join(', ');
  const what =
    parts.length === 0 ? worded`a ${{ type }} source is read as a whole` : worded`its parts are ${{ known }}`;
  throw new AppError('invalid_input', worded`account ${{ name }} has no part ${{ id: part }}; ${{ what }}`, {
    details: [detailOf('part', what)],
  });
}

/** An account that cannot even be opened failed to import, so the log says so. */
async function openLogged(
  services: RunServices,
  account: Account,
  { dryRun, runId: id }: { readonly dryRun: boolean; readonly runId: string | undefined },
): Promise<OpenedSource> {
  try {
    return await openSource(services, account);
  } catch (error) {
    if (!dryRun && error instanceof AppError) {
      const { storage, clock, logger, newId } = services;
      const report = { status: 'failed', ...messageOf(saidBy(error)) } as const;
      const deps = { logs: storage.logs, clock, logger, newId };
      await appendRunLog(deps, { id, kind: 'import', account: account.name, report, details: [] });
    }
    throw error;
  }
}
