import * as z from 'zod';
import { messageOf, worded, wordingFor } from '../../../kit/worded.ts';
import { secondsOf } from '../../../kit/words/moment.ts';
import type { LogEntry } from '../../../ports/index.ts';
import { placeText } from '../../journal/log-pages.ts';
import { innerWordingOf, LOGGED_OUTCOMES, runOutcomeOf, undidOf } from '../../journal/run-log.ts';
import { DISCARDED_WORD, RUN_STATUS_WORDS, UNDONE_WORD, WAITS_WORD } from '../../journal/words.ts';
import type { Caller } from '../../kernel/caller.ts';

export const RUN_KINDS = ['import', 'export', 'plan', 'cron', 'playbook'] as const;
export const RUN_OUTCOMES = [...LOGGED_OUTCOMES, 'running'] as const;

export const pastRunSchema = z
  .object({
    id: z.string(),
    kind: z.enum(RUN_KINDS),
    name: z.string().describe('Name of the account or cron group, or the file of the playbook'),
    at: z.string().describe('When an import, an export or a cron group ended; when a plan or a playbook began'),
    outcome: z
      .enum(RUN_OUTCOMES)
      .describe(
        'partial: not everything was done; cancelled: it was stopped; undone: an import was undone; waiting: a plan that can be applied, or an export whose plan needs approval; discarded: its plan was rejected',
      ),
    message: z.string(),
    changed: z
      .number()
      .int()
      .nullable()
      .describe('How many hosts or objects it wrote or took away; null where that was not kept'),
    undid: z.string().nullable().describe('Place of the import that it undid; null for all others'),
    place: z.string().describe('Identifies the run in calls that show or undo one; as `before`, continues behind it'),
  })
  .meta({ title: 'Run' });

export type PastRun = z.infer<typeof pastRunSchema>;
type Kind = PastRun['kind'];
type Outcome = PastRun['outcome'];

const LOGGED = /^(import|export|cron):(.*)$/s;

/** Returns the run that a log entry is about; `undefined` for other entries. */
export function loggedRun(entry: LogEntry, caller: Pick<Caller, 'entrance'>): PastRun | undefined {
  const { id, at, source, message, hasError } = entry;
  const [, kind, name] = LOGGED.exec(source) ?? [];
  if (kind === undefined || name === undefined) return undefined;
  const what = { import: `Import of ${name} `, export: `Export of ${name} `, cron: `Cron group ${name} ` }[kind] ?? '';
  const text = message.startsWith(what) ? message.slice(what.length) : message;
  const outcome = runOutcomeOf({ source, message, hasError });
  const said = wordingFor(
    caller,
    kind === 'cron' ? messageOf(hasError ? worded`failed` : worded`ran`).wording : innerWordingOf(entry),
  );
  return {
    ...runOf(id, at, kind as Kind, name, outcome),
    message: withoutStatus(text),
    ...said,
    changed: changedBy(entry),
    undid: undoneAt(entry),
  };
}

/** The members that runs of all kinds have in common. */
export function runOf(id: string, at: Date, kind: Kind, name: string, outcome: Outcome) {
  return { id, kind, name, at: secondsOf(at), outcome, undid: null as string | null, place: placeText({ at, id }) };
}

function undoneAt(entry: LogEntry): string | null {
  const undid = undidOf(entry);
  return undid === undefined ? null : placeText({ at: new Date(undid.at), id: undid.id });
}

/** Counts of a run that did not change what they count. */
const UNTOUCHED: ReadonlySet<string> = new Set(['unchanged', 'conflicts', 'skipped', 'failed']);

function changedBy({ details }: LogEntry): number | null {
  const counts = details.find((detail) => detail.counts !== undefined)?.counts;
  if (counts === undefined) return null;
  return Object.entries(counts).reduce((sum, [name, count]) => sum + (UNTOUCHED.has(name) ? 0 : count), 0);
}

/** Removes the outcome, which is shown next to the text. */
function withoutStatus(said: string): string {
  for (const word of [...Object.values(RUN_STATUS_WORDS), UNDONE_WORD, WAITS_WORD, DISCARDED_WORD]) {
    if (said.startsWith(`${word}: `)) return said.slice(word.length + 2);
  }
  return said;
}
