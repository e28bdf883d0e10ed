import { counted } from '../../kit/words/amounts.ts';
import type { PlaybookRun } from '../../ports/index.ts';
import { providerName } from '../inventory/provider-name.ts';
import { LONGEST_WAIT_MS } from '../journal/late-entry.ts';
import { Outage } from '../kernel/outage.ts';
import type { RuleBaseline } from './fire-baseline.ts';
import type { Fire, FirePlanDeps, FireProblem } from './fire-plan.ts';
import { planFires } from './fire-plan.ts';
import { type PlaybookRunDeps, runPlaybook } from './run-playbook.ts';

export interface FirePassDeps extends Omit<PlaybookRunDeps, 'storage' | 'config'>, FirePlanDeps {
  readonly config: PlaybookRunDeps['config'] & {
    readonly PLAYBOOK_PARALLEL: number;
    readonly PLAYBOOK_FIRE_LIMIT: number;
  };
}

export interface FirePassRequest {
  /** True says what would be run, and changes nothing. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  progress(state: { readonly done: number; readonly note: string }): void;
}

/** A run that a rule began, or would begin. */
interface FiredRun {
  readonly rule: string;
  readonly playbook: string;
  readonly hostname: string;
  readonly provider: string;
  /** `null` for one that would begin. */
  readonly run: PlaybookRun | null;
}

export interface FireReport {
  readonly hosts: number;
  readonly runs: readonly FiredRun[];
  readonly waiting: number;
  readonly forgotten: number;
  readonly baselines: readonly RuleBaseline[];
  readonly problems: readonly FireProblem[];
}

/** Runs the playbooks of rules that begin to match hosts. A fire is remembered before it runs: it happens once, on one node. */
export async function firePlaybooks(deps: FirePassDeps, request: FirePassRequest): Promise<FireReport> {
  const { signal, dryRun } = request;
  const { fires, ...plan } = await planFires(deps, {
    startedAt: deps.clock.now(),
    limit: deps.config.PLAYBOOK_FIRE_LIMIT,
    change: !dryRun,
    signal,
    progress: (hosts) => request.progress({ done: hosts, note: 'looking for rules that begin to match' }),
  });
  if (dryRun) return { ...plan, runs: fires.flatMap(plannedRuns) };
  if (fires.length > 0) await deps.playbookRunner.check(signal);
  const runs: FiredRun[] = [];
  const queue = fires.values();
  async function work(): Promise<void> {
    for (const fire of queue) {
      signal.throwIfAborted();
      for await (const run of runsOf(deps, fire, signal)) {
        runs.push(run);
        request.progress({ done: plan.hosts, note: `${counted(runs.length, 'run')} done` });
      }
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: deps.config.PLAYBOOK_PARALLEL }, work));
  signal.throwIfAborted();
  const failed = workers.find((worker) => worker.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return { ...plan, runs };
}

/** Nothing when another node has it. */
async function* runsOf(deps: FirePassDeps, fire: Fire, signal: AbortSignal): AsyncGenerator<FiredRun> {
  const { match, ruleName, project } = fire;
  const { playbooks } = deps.storage;
  // Before it is remembered: rules that cannot be evaluated now must not use up the match.
  const program = await deps.evaluators.forProject(project);
  if (!(await playbooks.remember({ ...match, since: deps.clock.now() }))) return;
  for (const [index, planned] of plannedRuns(fire).entries()) {
    const { playbook, hostname, provider } = planned;
    const variables = fire.wishes[index]?.extraVariables ?? null;
    const running = runPlaybook(deps, {
      playbook,
      provider,
      hostname,
      checkMode: false,
      source: 'rule',
      startedBy: ruleName,
      // Values come from data, so nothing in them is evaluated.
      extraVariables: variables === null ? null : { values: variables, templates: false },
      scope: null,
      signal,
      mask: (text) => program.masked(text),
    });
    yield { ...planned, run: await running.catch((error) => takeBack(deps, fire, index, error)) };
  }
}

/** A run that could not even begin: the next pass tries again. */
async function takeBack({ storage }: FirePassDeps, { match }: Fire, index: number, error: unknown): Promise<never> {
  if (index === 0) {
    const outage = new Outage({ longestMs: LONGEST_WAIT_MS });
    await outage.through(() => storage.playbooks.forget([match])).catch(() => undefined);
  }
  throw error;
}

function plannedRuns({ match, ruleName, playbook, project, wishes }: Fire): readonly FiredRun[] {
  return wishes.map(({ inventory }) => ({
    rule: ruleName,
    playbook: playbook.file,
    hostname: match.hostname,
    provider: providerName(inventory || (project ?? playbook.inventory)),
    run: null,
  }));
}
