import * as z from 'zod';
import { worded } from '../../kit/worded.ts';
import { AppError, type PlaybookRun } from '../../ports/index.ts';
import { entriesOf } from '../hosts/reported-history.ts';
import { type Caller, hostScopeOf } from '../kernel/caller.ts';
import type { RunServices } from '../runs/services.ts';

export const playbookRunSchema = z.object({
  id: z.string(),
  playbook: z.string().describe('The file of the playbook'),
  provider: z.string().describe('The inventory provider that it ran with'),
  hostname: z
    .string()
    .nullable()
    .describe('null: all hosts of the inventory, or those that `search` and `group` found'),
  search: z.string().nullable().describe('The search whose hosts it was limited to'),
  group: z.string().nullable().describe('The group of the inventory that it was limited to'),
  hosts: z.number().int().nullable().describe('How many hosts it was for, if it was limited or for one'),
  first_hosts: z.array(z.string()).describe('The first of them, by name'),
  variables: z.array(z.string()).describe('Names of its further variables; values are not kept'),
  check_mode: z.boolean().describe('Whether it only reported what it would change'),
  source: z.enum(['rule', 'user']),
  started_by: z.string().describe('Name of the rule, or of the user'),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  status: z.enum(['running', 'succeeded', 'failed', 'cancelled', 'lost']),
  exit_code: z.number().int().nullable(),
  message: z.string().describe('Why it failed'),
});

export type PlaybookRunAnswer = z.infer<typeof playbookRunSchema>;

export function playbookRunAnswer(run: PlaybookRun): PlaybookRunAnswer {
  const { search = null, group = null, hosts, variables = [] } = run.choices ?? {};
  const one = run.hostname === null ? [] : [run.hostname];
  return {
    id: run.id,
    playbook: run.playbook,
    provider: run.provider,
    hostname: run.hostname,
    search,
    group,
    hosts: hosts?.count ?? (one.length || null),
    first_hosts: [...(hosts?.first ?? one)],
    variables: [...variables],
    check_mode: run.checkMode,
    source: run.source,
    started_by: run.startedBy,
    started_at: run.startedAt.toISOString(),
    ended_at: run.endedAt?.toISOString() ?? null,
    status: run.status,
    exit_code: run.exitCode,
    message: run.message,
  };
}

/**
 * Those of these runs that the caller may see: a restricted caller sees the ones for hosts in reach, and of a host that came from
 * an account beyond it those since then.
 */
export async function visibleRuns<Run extends PlaybookRun>(
  { storage }: RunServices,
  caller: Caller,
  runs: readonly Run[],
): Promise<readonly Run[]> {
  const scope = hostScopeOf(caller);
  if (scope === null) return runs;
  const hostnames = runs.flatMap(({ hostname }) => hostname ?? []);
  const visible = await storage.hosts.visible([...new Set(hostnames)], scope);
  const entries = await entriesOf(storage, caller, [...visible]);
  return runs.filter(({ hostname, startedAt }) => {
    if (hostname === null || !visible.has(hostname)) return false;
    const entry = entries.get(hostname);
    return entry === undefined || startedAt > entry;
  });
}

export function unknownRun(id: string): AppError {
  return new AppError('not_found', worded`there is no playbook run ${{ id }}; list the runs to see which exist`);
}
