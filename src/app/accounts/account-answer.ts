import * as z from 'zod';
import { API_ACCOUNT_TYPES } from '../../kit/account-options/api-accounts.ts';
import { MASK } from '../../kit/masking/secret-mask.ts';
import { wordingFor } from '../../kit/worded.ts';
import { secondsOf } from '../../kit/words/moment.ts';
import type { LogEntry, LogHead } from '../../ports/index.ts';
import {
  incompleteRunsOf,
  LOGGED_OUTCOMES,
  type RunKind,
  type RunOutcome,
  runLogSource,
  runOutcomeOf,
} from '../journal/run-log.ts';
import { incompleteAdvice, undoneAdvice } from '../journal/words.ts';
import type { Caller } from '../kernel/caller.ts';
import { isUnconfirmedAccount } from '../rules/trust/pending.ts';
import { type Account, accountSwitches, hasPassword, referencesOf } from './account-directory.ts';
import type { AccountServices } from './services.ts';

export const accountSummarySchema = z.object({ name: z.string(), type: z.string(), enabled: z.boolean() });

export const accountSchema = accountSummarySchema.extend({
  is_master: z.boolean(),
  is_object: z.boolean(),
  object_type: z.string(),
  parent: z.string(),
  address: z.string(),
  username: z.string(),
  has_password: z.boolean(),
  options: z.record(z.string(), z.string()).describe('Options of the type; secret ones are masked'),
  secrets_from: z
    .record(z.string(), z.string())
    .describe('References to secrets that are not stored here, by `password` or name of option'),
  hosts: z.number().int().describe('Active hosts and objects that the account owns'),
  waits: z
    .boolean()
    .describe('Whether it waits for an administrator, and nothing is read from or written to it until then'),
});

export function accountAnswer(account: Account, hosts: number): z.infer<typeof accountSchema> {
  return {
    name: account.name,
    type: account.type,
    enabled: account.enabled,
    is_master: account.isMaster,
    is_object: account.isObject,
    object_type: account.objectType,
    parent: account.parent,
    address: account.address,
    username: account.username,
    has_password: hasPassword(account),
    options: Object.fromEntries([
      ...accountSwitches(account),
      ...[...account.fields]
        .filter(([, { from }]) => from === '')
        .map(([name, field]): [string, string] => [name, field.sealed ? MASK : field.value]),
    ]),
    secrets_from: Object.fromEntries(referencesOf(account)),
    hosts,
    waits: (!API_ACCOUNT_TYPES.has(account.type) || referencesOf(account).length > 0) && isUnconfirmedAccount(account),
  };
}

export const kindSchema = z
  .enum(['source', 'target', 'both', 'channel', 'sign_in', 'api', 'unknown'])
  .describe('Possible uses; unknown: no plugin provides its type');

export const lastRunSchema = z
  .object({
    kind: z.enum(['import', 'export']),
    time: z.string(),
    message: z.string(),
    has_error: z.boolean(),
    outcome: z
      .enum(LOGGED_OUTCOMES)
      .describe(
        'cancelled: it was stopped, by a user or by the end of the program; undone: an import was undone; waiting: the plan of an export waits for approval; discarded: that plan was rejected',
      ),
  })
  .nullable()
  .describe('The newest run in the log; null: there was none');

/** The newest run of an account among the newest entries of the log's sources. */
export function lastRunOf(
  account: string,
  caller: Pick<Caller, 'entrance'>,
  newestOf: (source: string) => LogHead | undefined,
): z.infer<typeof lastRunSchema> {
  const runs = RUN_KINDS.flatMap((kind) => {
    const entry = newestOf(runLogSource(kind, account));
    return entry === undefined ? [] : [{ kind, entry }];
  });
  const [last] = runs.sort((a, b) => b.entry.at.getTime() - a.entry.at.getTime());
  if (last === undefined) return null;
  const { at, message, wording, hasError } = last.entry;
  return {
    kind: last.kind,
    time: secondsOf(at),
    message,
    ...wordingFor(caller, wording),
    has_error: hasError,
    outcome: runOutcomeOf(last.entry),
  };
}

export const undoneSchema = z
  .object({
    at: z.string().describe('When it was undone'),
    message: z.string().describe('The import, and what was undone'),
    advice: z.string().describe('Explanation and advice'),
  })
  .nullable()
  .describe('An import was undone, and nothing ran since; null: not so');

/** The advice after an undone import: the last run did not fail, yet the hosts of the account differ from its source. */
export function undoneOf(account: string, last: z.infer<typeof lastRunSchema>): z.infer<typeof undoneSchema> {
  if (last?.outcome !== 'undone') return null;
  return { at: last.time, message: last.message, advice: undoneAdvice(account) };
}

export const incompleteSchema = z
  .object({
    since: z.string().describe('When the first of them ended'),
    runs: z.number().int(),
    part: z.string().nullable().describe('The part of the source that they read; null: all of it'),
    last_complete: z.string().nullable().describe('When the last complete run ended; null: there was none'),
    message: z.string().describe('How the newest one ended'),
    advice: z.string().describe('Explanation and advice'),
  })
  .nullable()
  .describe(
    'Runs that did not do all they were to do, up to now; null: the last run was complete or was undone, or there was none',
  );

/** Since when an account's runs are not complete, by the newest entry of the kind that ran last. */
export function incompleteOf(
  account: string,
  kind: RunKind,
  caller: Pick<Caller, 'entrance'>,
  entry: LogEntry | undefined,
): z.infer<typeof incompleteSchema> {
  const found = entry === undefined ? undefined : incompleteRunsOf(entry);
  if (entry === undefined || found === undefined) return null;
  const { since, runs, lastComplete, message, wording, part = null } = found;
  const advice = incompleteAdvice(account, kind, runOutcomeOf(entry));
  return { since, runs, part, last_complete: lastComplete, message, ...wordingFor(caller, wording), advice };
}

interface AccountRun {
  readonly name: string;
  readonly type: string;
  readonly last_run: z.infer<typeof lastRunSchema>;
}

/** The same of many accounts, by name. Only of those whose newest run has an error, was undone, or may be that of one part, anything is read. */
export async function incompleteByAccount(
  { storage: { logs }, plugins }: Pick<AccountServices, 'storage' | 'plugins'>,
  runs: readonly AccountRun[],
  caller: Pick<Caller, 'entrance'>,
): Promise<ReadonlyMap<string, z.infer<typeof incompleteSchema>>> {
  const hasParts = (type: string): boolean => (plugins.source(type)?.item.parts ?? []).length > 0;
  const troubled = runs.flatMap(({ name, type, last_run }) =>
    last_run !== null && (last_run.has_error || !COMPLETE.has(last_run.outcome) || hasParts(type))
      ? [{ name, kind: last_run.kind }]
      : [],
  );
  const found = await Promise.all(
    troubled.map(async ({ name, kind }) => {
      const [entry] = await logs.latest({ limit: 1, source: runLogSource(kind, name) });
      return [name, incompleteOf(name, kind, caller, entry)] as const;
    }),
  );
  return new Map(found);
}

/** A run without an error may still leave work for another one; only its entry shows that. */
const COMPLETE: ReadonlySet<RunOutcome> = new Set(['done', 'partial']);
const RUN_KINDS: readonly RunKind[] = ['import', 'export'];
