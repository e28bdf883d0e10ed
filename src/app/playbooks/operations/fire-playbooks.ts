import * as z from 'zod';
import { defineOperation } from '../../runs/services.ts';
import { type FireReport, firePlaybooks as fire } from '../fire-pass.ts';
import { firedOutcome, firedView } from '../views/fired.ts';

const count = z.number().int();

export const firePlaybooks = defineOperation({
  name: 'playbooks/fire-playbooks',
  title: 'Fire playbooks',
  description:
    'Runs the playbooks of rules that begin to match hosts, and forgets the matches that are over. Answers when the runs have ended.',
  effect: 'write',
  roles: ['admin'],
  weight: 'heavy',
  at: {
    remote: true,
    command: {
      words: 'playbook fire',
      description:
        'Run the playbooks of rules that begin to match hosts, and exit when they have ended. The job "Fire Playbooks" of a cron group does the same.',
      summary: 'run the playbooks of rules that begin to match',
      options: { dry_run: { flags: '--dry-run', description: 'show what would be run; nothing is run or remembered' } },
      progress: () => 'Firing playbooks',
      json: 'answer the runs and what went wrong as JSON',
      examples: ['muster playbook fire --dry-run', 'muster playbook fire'],
      view: firedView,
      outcome: firedOutcome,
    },
  },
  input: z.object({
    dry_run: z.boolean().default(false).describe('Reports what would run, without running or remembering anything'),
  }),
  output: z.object({
    status: z.enum(['done', 'failed']),
    message: z.string(),
    hosts: count.describe('Active hosts that were evaluated'),
    started: count.describe('Started runs; in a dry run those that would start'),
    succeeded: count,
    failed: count.describe('Runs that failed'),
    waiting: count.describe('Hosts and playbooks beyond PLAYBOOK_FIRE_LIMIT, which the next pass takes'),
    forgotten: count.describe('Matches that have ended'),
    baselines: z
      .array(
        z.object({
          id: z.string(),
          rule: z.string(),
          matches: count.describe('Hosts and playbooks that count as fired'),
          open: count.describe('Hosts where what it matches is not known yet; that will count as fired'),
          evaluated: z
            .boolean()
            .describe('false: it is disabled, waits, or there is no host; a later pass evaluates it'),
        }),
      )
      .describe('Rules of another installation: what they match in their first pass here counts as fired'),
    runs: z.array(
      z.object({
        rule: z.string(),
        playbook: z.string(),
        hostname: z.string(),
        provider: z.string(),
        id: z.string().nullable().describe('null: a dry run started none'),
        status: z.string().nullable(),
        message: z.string(),
      }),
    ),
    problems: z.array(z.object({ rule: z.string(), message: z.string() })),
  }),
  async run({ dry_run }, { services, signal, progress }) {
    const report = await fire(services, {
      dryRun: dry_run,
      signal,
      progress: (state) => progress({ ...state, unit: 'hosts' }),
    });
    const ended = report.runs.flatMap(({ run }) => run ?? []);
    const succeeded = ended.filter(({ status }) => status === 'succeeded').length;
    const failed = ended.length - succeeded;
    const counts = { started: report.runs.length, succeeded, failed };
    const status: 'done' | 'failed' = failed > 0 || report.problems.some(({ fatal }) => fatal) ? 'failed' : 'done';
    return {
      status,
      message: messageOf(report, counts, dry_run),
      hosts: report.hosts,
      ...counts,
      waiting: report.waiting,
      forgotten: report.forgotten,
      baselines: [...report.baselines],
      runs: report.runs.map(({ run, ...fired }) => ({
        ...fired,
        id: run?.id ?? null,
        status: run?.status ?? null,
        message: run?.message ?? '',
      })),
      problems: report.problems.map(({ rule, message }) => ({ rule, message })),
    };
  },
});

function messageOf(
  { hosts, forgotten, waiting, baselines, problems }: FireReport,
  { started, failed }: { readonly started: number; readonly failed: number },
  dryRun: boolean,
): string {
  const parts = [`${hosts} ${hosts === 1 ? 'host' : 'hosts'}`];
  parts.push(`${started} ${started === 1 ? 'run' : 'runs'}${dryRun ? ' would begin' : ''}`);
  if (failed > 0) parts.push(`${failed} failed`);
  if (forgotten > 0) parts.push(`${forgotten} forgotten`);
  const counted = baselines.reduce((sum, { matches }) => sum + matches, 0);
  if (counted > 0)
    parts.push(`${counted} ${counted === 1 ? 'match of today counts' : 'matches of today count'} as fired`);
  if (waiting > 0) parts.push(`${waiting} left for the next pass`);
  if (problems.length > 0) parts.push(`${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`);
  // What keeps a rule from firing at all belongs into the one line that people see of a job.
  const reasons = problems.filter(({ fatal }) => fatal).map(({ message }) => message);
  return [parts.join(', '), ...reasons].join('; ');
}
