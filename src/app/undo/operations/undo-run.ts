import * as z from 'zod';
import { messageOf, worded, wordingFor } from '../../../kit/worded.ts';
import { plainSecondsOf } from '../../../kit/words/moment.ts';
import { AppError, type LogEntry } from '../../../ports/index.ts';
import { entriesSince } from '../../journal/entries-since.ts';
import { runPlaceSchema } from '../../journal/log-pages.ts';
import { appendUndoLog, runLogSource } from '../../journal/run-log.ts';
import { asActiveRun } from '../../runs/active/as-active-run.ts';
import { beganAt, loggedEntry } from '../../runs/past/logged-entry.ts';
import type { RunServices } from '../../runs/services.ts';
import { defineOperation } from '../../runs/services.ts';
import { undoRun } from '../undo-run.ts';
import { undoneRunView } from '../views/undone-run.ts';
import { undoWording } from '../words.ts';

export const undoneRunSchema = z.object({
  status: z
    .enum(['preview', 'undone', 'partial'])
    .describe('partial: hosts that something else changed since were left alone'),
  account: z.string(),
  message: z.string(),
  changed: z.number().int().describe('Hosts whose labels, sections or owner are as they were'),
  archived: z.number().int().describe('Hosts that the run had created or brought out of the archive'),
  restored: z.number().int().describe('Hosts that the run had archived'),
  renamed: z.number().int().describe('Hosts that have their old names'),
  unchanged: z.number().int().describe('Changes that had already been undone'),
  left: z.number().int().describe('Hosts that something else changed since; they were left alone'),
  hostnames: z.array(z.string()).describe('The first hosts that are as they were'),
  left_alone: z
    .array(z.object({ hostname: z.string(), reason: z.string() }))
    .describe('The first that were left alone'),
});

export const undoImport = defineOperation({
  name: 'runs/undo-run',
  title: 'Undo an import',
  description:
    'Takes back what an import did to hosts: labels, sections, owner and names are as before it, hosts that it created are archived, those that it archived are restored. A host that something else changed since is left alone and named. A dry run changes nothing.',
  effect: 'write',
  roles: ['administrator'],
  weight: 'heavy',
  previews: ({ dry_run }) => dry_run === true,
  at: {
    // No tool: a person looks at the dry run and decides.
    rest: { path: 'POST /runs/:place/undo', body: 'optional', errors: ['not_found', 'conflict'] },
    command: {
      words: 'run undo',
      description:
        'Take back what an import did to hosts: labels, sections, owner and names are as before it, hosts that it created are archived, those that it archived are restored. A host that something else changed since is left alone and named.',
      summary: 'undo an import',
      arguments: { place: { shown: '<place>', description: 'place of the run, as "run list" shows it' } },
      options: {
        dry_run: { flags: '--dry-run', description: 'show what would be undone, change nothing' },
        only_archived: { flags: '--only-archived', description: 'only restore the hosts that it archived' },
      },
      json: 'answer the outcome as JSON',
      examples: [
        'place=$(muster run list --kind import --limit 1 -o name)',
        'muster run undo "$place" --dry-run',
        'muster run undo "$place"',
        'muster run undo "$place" --only-archived',
      ],
      view: undoneRunView,
    },
    page: true,
  },
  input: z.object({
    place: runPlaceSchema.describe('Place of the run, as a list of runs says it'),
    dry_run: z.boolean().default(false).describe('Only shows what would be undone'),
    only_archived: z
      .boolean()
      .default(false)
      .describe('Only restores the hosts that the run archived; all else stays as it made it'),
  }),
  output: undoneRunSchema,
  subject: ({ place }) => place,
  async run({ place, dry_run: preview, only_archived: onlyArchived }, context) {
    const { services, caller } = context;
    const { entry, run } = await loggedEntry(services, caller, place);
    if (run.kind !== 'import') {
      throw new AppError(
        'conflict',
        run.kind === 'cron'
          ? worded`only imports can be undone, and this is a run of a cron group`
          : worded`only imports can be undone, and this is an ${{ kind: run.kind }}`,
      );
    }
    const began = beganAt(entry);
    if (began === undefined) {
      throw new AppError(
        'conflict',
        worded`when this import began was not kept, so what it changed is not known; put hosts back one by one from their history`,
      );
    }
    const account = await services.accounts.inScope(run.name, caller.scope);
    await refuseOverlap(services, entry, began);
    const window = { accountId: account.id, account: account.name, began, ended: entry.at };
    const work = async ({ signal, progress }: Pick<typeof context, 'signal' | 'progress'>) => {
      const { hosts, history } = services.storage;
      const report = await undoRun(
        { hosts, history, clock: services.clock },
        {
          run: window,
          actor: { kind: 'user', name: caller.name },
          preview,
          onlyArchived,
          signal,
          progress: (done) => progress({ done, unit: 'hosts' }),
        },
      );
      const said = undoWording(report, preview);
      const { message, wording } = messageOf(said);
      if (!preview) {
        const { storage, clock, logger, newId } = services;
        await appendUndoLog(
          { logs: storage.logs, clock, logger, newId },
          {
            id: entry.id,
            at: entry.at,
            account: account.name,
            said: worded`the run of ${{ at: plainSecondsOf(entry.at) }}: ${{ said }}`,
            leftAlone: report.leftAlone,
          },
        );
      }
      const { leftAlone, ...counts } = report;
      const status = preview ? ('preview' as const) : report.left > 0 ? ('partial' as const) : ('undone' as const);
      return {
        status,
        account: account.name,
        message,
        ...wordingFor(caller, wording),
        ...counts,
        left_alone: leftAlone,
      };
    };
    return preview ? work(context) : asActiveRun(context, { kind: 'import', account }, work);
  },
});

/** Refuses if another run of the account overlapped: the changes of the two cannot be distinguished. */
async function refuseOverlap({ storage }: RunServices, { id, at, source }: LogEntry, began: Date): Promise<void> {
  for await (const entries of entriesSince(storage.logs, began, source)) {
    const other = entries.find((entry) => {
      const start = beganAt(entry);
      return entry.id !== id && start !== undefined && start <= at;
    });
    if (other === undefined) continue;
    throw new AppError(
      'conflict',
      worded`another part of ${{ source: source.slice(runLogSource('import', '').length) }} was imported at the same time, until ${{ at: plainSecondsOf(other.at) }}, and the changes of the two cannot be separated; put hosts back one by one from their history`,
    );
  }
}
