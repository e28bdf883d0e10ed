import { setImmediate as nextTurn } from 'node:timers/promises';
import { memberFlag, memberText } from '../../kit/document/members.ts';
import {
  AppError,
  type HostRecord,
  type Playbook,
  type PlaybookCatalogue,
  type PlaybookList,
  type PlaybookMatch,
  type PlaybookWish,
  type RememberedMatch,
  type Storage,
} from '../../ports/index.ts';
import type { PluginRegistry } from '../kernel/plugin-host/registry.ts';
import { RULE_WAITS } from '../rules/engine/host-state.ts';
import type { HostProgram, PlaybookHits } from '../rules/engine/program-input.ts';
import type { EvaluatorCache } from '../rules/evaluators.ts';
import { isPending, waitsMessage } from '../rules/trust/pending.ts';
import { FireBaseline, OPEN, type RuleBaseline } from './fire-baseline.ts';
import { walkHosts } from './host-walk.ts';
import { findPlaybook, missingPlaybook } from './manifest.ts';

export interface FirePlanDeps {
  readonly storage: Pick<Storage, 'hosts' | 'rules' | 'playbooks'>;
  readonly plugins: PluginRegistry;
  readonly evaluators: EvaluatorCache;
  readonly playbooks: PlaybookCatalogue;
}

/** A rule that begins to match a host, with one playbook that it names. */
export interface Fire {
  readonly match: PlaybookMatch;
  readonly ruleName: string;
  readonly playbook: Playbook;
  /** Of the rule; `null` for none. */
  readonly project: string | null;
  /** Usually one; several where the rule names the playbook more than once. */
  readonly wishes: readonly PlaybookWish[];
}

export interface FireProblem {
  readonly rule: string;
  readonly message: string;
  /** False for what concerns single hosts only. */
  readonly fatal: boolean;
}

export interface FirePlan {
  readonly hosts: number;
  /** In the order of hostnames, at most as many as asked for. */
  readonly fires: readonly Fire[];
  /** Further ones, which the next pass finds. */
  readonly waiting: number;
  readonly forgotten: number;
  /** Rules of another installation that nothing runs for yet, by name. */
  readonly baselines: readonly RuleBaseline[];
  readonly problems: readonly FireProblem[];
}

export interface FirePlanRequest {
  readonly startedAt: Date;
  readonly limit: number;
  /** False leaves what is remembered as it is, and counts. */
  readonly change: boolean;
  readonly signal: AbortSignal;
  progress(hosts: number): void;
}

interface RuleProgram {
  readonly project: string | null;
  readonly program: HostProgram;
}

const PROJECTS = 'automation_projects';
/** The one that stands for no project. */
const DEFAULT_PROJECT = 'Default';
const BATCH_SIZE = 100;
const FORGOTTEN_AT_ONCE = 500;

/**
 * Goes through the active hosts once, finds which rules begin to match, and forgets those that no longer do. What a rule of
 * another installation matches in its first pass is remembered as fired and begins nothing. Nothing is
 * forgotten for a rule that failed on the host, that is disabled, or when there is no host at all.
 */
export async function planFires(deps: FirePlanDeps, request: FirePlanRequest): Promise<FirePlan> {
  const { hosts, playbooks } = deps.storage;
  const manifest = await deps.playbooks.list();
  const rules = await rulesOf(deps);
  // After the rules: a rule that is among them came with its mark, so no mark is missed.
  const baseline = await FireBaseline.read(deps.storage, request);
  const findings = new Findings(manifest, request.limit);
  const old = new Forgetting(deps, request);
  let seen = 0;
  const active = { scope: null, kind: 'hosts', state: 'active' } as const;
  if ((await hosts.count(active)) === 0) await refuseNoHosts(deps);
  for await (const step of walkHosts(hosts.scan(active, BATCH_SIZE), playbooks.matches(BATCH_SIZE))) {
    if (step.kind === 'gone') {
      if (!rules.isKept(step.match.ruleId)) await old.gone(step.match);
      continue;
    }
    const over = rules.newsOf(step.host, step.matches, findings, baseline);
    // What is known now is remembered before it is forgotten that it was not.
    if (over.length > 0 || baseline.isFull) await baseline.flush();
    for (const match of over) await old.add(match);
    seen++;
    if (seen % BATCH_SIZE !== 0) continue;
    request.signal.throwIfAborted();
    request.progress(seen);
    // A store that never waits would let nobody else run.
    await nextTurn();
  }
  const baselines = await baseline.finish((id) => seen > 0 && rules.isEvaluated(id) && !findings.isPending(id));
  const forgotten = await old.finish();
  const { fires, waiting } = findings;
  return { hosts: seen, fires, waiting, forgotten, baselines, problems: findings.problems() };
}

/** An empty store must not make everything fire again when its hosts are back. */
async function refuseNoHosts({ storage }: FirePlanDeps): Promise<void> {
  for await (const _ of storage.playbooks.matches(1)) {
    throw new AppError(
      'failed',
      'there is no active host, and rules have fired for some before; nothing was forgotten. Restore the hosts, or delete the rules',
    );
  }
}

async function rulesOf(deps: FirePlanDeps): Promise<FireRules> {
  const projects = (await deps.storage.rules.list(PROJECTS))
    .map(({ document }) => document.value)
    .filter((document) => memberFlag(document, 'enabled'))
    .map((document) => memberText(document, 'name'))
    .filter((name) => name !== DEFAULT_PROJECT)
    .sort();
  const programs: RuleProgram[] = [];
  for (const project of [null, ...projects]) {
    const program = await deps.evaluators.forProject(project);
    if (program.playbookRules.length > 0) programs.push({ project, program });
  }
  const stored = new Set<string>();
  const waiting = new Map<string, string>();
  for (const type of deps.plugins.ruleTypes()) {
    if (type.evaluation?.stage !== 'playbooks') continue;
    for (const record of await deps.storage.rules.list(type.id)) {
      stored.add(record.id);
      if (isPending(type, record)) waiting.set(record.id, waitsMessage(record).text);
    }
  }
  return new FireRules(programs, stored, waiting);
}

/** The rules that fire, with what happens to matches of rules that do not run now. */
class FireRules {
  readonly #programs: readonly RuleProgram[];
  readonly #stored: ReadonlySet<string>;
  readonly #running: ReadonlySet<string>;
  /** What is said of rules that wait for an administrator, by id. */
  readonly #waiting: ReadonlyMap<string, string>;

  constructor(programs: readonly RuleProgram[], stored: ReadonlySet<string>, waiting: ReadonlyMap<string, string>) {
    this.#programs = programs;
    this.#stored = stored;
    this.#waiting = waiting;
    this.#running = new Set(programs.flatMap(({ program }) => program.playbookRules));
  }

  /**
   * A rule that is there and does not run (disabled, broken, of a project that is switched off, waiting for an administrator)
   * keeps what it remembers.
   */
  isKept(ruleId: string): boolean {
    return this.#stored.has(ruleId) && (!this.#running.has(ruleId) || this.#waiting.has(ruleId));
  }

  /** Whether its matches are told by a pass: it runs and does not wait. */
  isEvaluated(ruleId: string): boolean {
    return this.#running.has(ruleId) && !this.#waiting.has(ruleId);
  }

  /** Tells the findings what begins, and the baseline what counts as fired; answers what is over. */
  newsOf(
    host: HostRecord,
    matches: readonly RememberedMatch[],
    findings: Findings,
    baseline: FireBaseline,
  ): readonly RememberedMatch[] {
    const { hostname } = host;
    const open = new Map(matches.map((match) => [keyOf(match), match]));
    const unknown = new Set<string>();
    const counts = (ruleId: string) =>
      baseline.isMarked(ruleId) || open.has(keyOf({ ruleId, playbook: OPEN, hostname }));
    for (const { project, program } of this.#programs) {
      const found = hitsOf(program, host);
      for (const id of found.undecided) {
        unknown.add(id);
        findings.undecided(id, hostname, program);
        if (counts(id)) baseline.leaveOpen(id, hostname);
      }
      for (const { ruleId, ruleName, confirmed, wishes } of found.hits) {
        // What was compiled may be gone or another one by the time that the stored rules were listed.
        const waits = this.#waiting.get(ruleId) ?? (confirmed ? undefined : RULE_WAITS);
        if (waits !== undefined) {
          findings.waits(ruleId, ruleName, waits);
          unknown.add(ruleId);
          continue;
        }
        for (const wanted of new Set(wishes.map(({ playbook }) => playbook))) {
          const playbook = findings.playbook(ruleName, wanted);
          if (playbook === undefined) {
            // What it fired before stays remembered until the manifest names it again.
            unknown.add(ruleId);
            if (counts(ruleId)) baseline.leaveOpen(ruleId, hostname);
            continue;
          }
          const match = { ruleId, playbook: playbook.file, hostname };
          if (open.delete(keyOf(match))) continue;
          if (counts(ruleId)) {
            baseline.count(match);
            continue;
          }
          const own = wishes.filter((wish) => wish.playbook === wanted);
          findings.begins({ match, ruleName, playbook, project, wishes: own });
        }
      }
    }
    return [...open.values()].filter(({ ruleId }) => !unknown.has(ruleId) && !this.isKept(ruleId));
  }
}

function hitsOf(program: HostProgram, host: HostRecord): PlaybookHits {
  try {
    return program.playbooks(host);
  } catch {
    // The record itself cannot be read: nothing is known of any rule.
    return { hits: [], undecided: new Set(program.playbookRules) };
  }
}

function keyOf({ ruleId, playbook }: PlaybookMatch): string {
  return `${ruleId}/${playbook}`;
}

class Findings {
  readonly fires: Fire[] = [];
  waiting = 0;
  readonly #manifest: PlaybookList;
  readonly #limit: number;
  readonly #playbooks = new Map<string, Playbook | undefined>();
  readonly #missing = new Map<string, FireProblem>();
  readonly #waits = new Map<string, FireProblem>();
  readonly #waitingIds = new Set<string>();
  readonly #undecided = new Map<string, { hosts: number; hostname: string; program: HostProgram }>();

  constructor(manifest: PlaybookList, limit: number) {
    this.#manifest = manifest;
    this.#limit = limit;
  }

  begins(fire: Fire): void {
    if (this.fires.length < this.#limit) this.fires.push(fire);
    else this.waiting++;
  }

  playbook(rule: string, wanted: string): Playbook | undefined {
    if (!this.#playbooks.has(wanted)) this.#playbooks.set(wanted, findPlaybook(this.#manifest, wanted));
    const playbook = this.#playbooks.get(wanted);
    if (playbook === undefined) {
      this.#missing.set(`${rule}/${wanted}`, { rule, message: missingPlaybook(this.#manifest, wanted), fatal: true });
    }
    return playbook;
  }

  isPending(ruleId: string): boolean {
    return this.#waitingIds.has(ruleId);
  }

  waits(ruleId: string, rule: string, message: string): void {
    this.#waitingIds.add(ruleId);
    this.#waits.set(rule, { rule, message, fatal: true });
  }

  undecided(ruleId: string, hostname: string, program: HostProgram): void {
    const known = this.#undecided.get(ruleId);
    if (known === undefined) this.#undecided.set(ruleId, { hosts: 1, hostname, program });
    else known.hosts++;
  }

  problems(): readonly FireProblem[] {
    const failed = [...this.#undecided].map(([ruleId, { hosts, hostname, program }]): FireProblem => {
      const failure = program.errors().find(({ id }) => id === ruleId);
      const where = hosts === 1 ? `on ${hostname}` : `on ${hosts} hosts, such as ${hostname}`;
      const why = program.masked(failure?.lastError ?? 'a rule before it failed');
      return {
        rule: failure?.name ?? ruleId,
        message: `failed ${where}, and nothing was changed there: ${why}`,
        fatal: false,
      };
    });
    return [...this.#waits.values(), ...this.#missing.values(), ...failed];
  }
}

/** Forgets in portions, and never what was remembered while the pass went on. */
class Forgetting {
  readonly #deps: FirePlanDeps;
  readonly #request: FirePlanRequest;
  #over: PlaybookMatch[] = [];
  #gone: PlaybookMatch[] = [];
  #count = 0;

  constructor(deps: FirePlanDeps, request: FirePlanRequest) {
    this.#deps = deps;
    this.#request = request;
  }

  async add(match: RememberedMatch): Promise<void> {
    if (match.since >= this.#request.startedAt) return;
    this.#over.push(match);
    if (this.#over.length >= FORGOTTEN_AT_ONCE) await this.#flush();
  }

  async gone(match: RememberedMatch): Promise<void> {
    if (match.since >= this.#request.startedAt) return;
    this.#gone.push(match);
    if (this.#gone.length >= FORGOTTEN_AT_ONCE) await this.#flush();
  }

  async finish(): Promise<number> {
    await this.#flush();
    return this.#count;
  }

  async #flush(): Promise<void> {
    const { hosts, playbooks } = this.#deps.storage;
    const names = [...new Set(this.#gone.map(({ hostname }) => hostname))];
    // A host that came back while the pass went by is not gone.
    const back = names.length === 0 ? new Set() : await hosts.visible(names, null);
    const all = [...this.#over, ...this.#gone.filter(({ hostname }) => !back.has(hostname))];
    this.#over = [];
    this.#gone = [];
    if (all.length === 0) return;
    this.#count += this.#request.change ? await playbooks.forget(all) : all.length;
  }
}
