import { memberFlag, memberReference } from '../../kit/document/members.ts';
import type { Clock, HostScope, RuleDocument, Storage } from '../../ports/index.ts';
import type { Progress } from '../kernel/operation.ts';
import type { PluginRegistry } from '../kernel/plugin-host/registry.ts';
import type { PreviewProgram } from './engine/program-input.ts';
import type { EvaluatorCache } from './evaluators.ts';
import { DEFAULT_PROJECT, PROJECTS } from './rule-generation.ts';

const BATCH_SIZE = 100;
/** Number of counts that are kept, one for each group of callers with the same scope. */
const KEPT = 4;
/** How long a count is kept if rules hit by the time: `older_than`, or a template that reads the clock. */
const VOLATILE_MILLISECONDS = 60_000;

interface RuleHitsDeps {
  readonly storage: Storage;
  readonly plugins: PluginRegistry;
  readonly clock: Clock;
}

interface Asked {
  readonly scope: HostScope;
  /** Time after which the rest is left to the next caller. */
  readonly seconds: number;
  readonly signal: AbortSignal;
  progress(now: Progress): void;
}

/** The counts of all enabled rules that run over hosts, as far as they are known. */
export interface HitCounts {
  readonly looked: number;
  readonly hosts: number;
  /** By `<type> <id>`. */
  readonly rules: ReturnType<PreviewProgram['counts']>;
}

/**
 * The hits of all rules, counted in one pass over the hosts. They are kept until rules or hosts change, for a minute if rules read
 * the time, and a repeated request continues where the last one ended.
 */
export class RuleHits {
  readonly #deps: RuleHitsDeps;
  readonly #evaluators: Pick<EvaluatorCache, 'counting'>;
  readonly #kept = new Map<string, Count>();

  constructor(deps: RuleHitsDeps, evaluators: Pick<EvaluatorCache, 'counting'>) {
    this.#deps = deps;
    this.#evaluators = evaluators;
  }

  async count(asked: Asked): Promise<HitCounts> {
    const rules = await this.#evaluators.counting();
    const hosts = (await this.#deps.storage.revisions()).get('hosts') ?? 0;
    const key = JSON.stringify([rules.revision, hosts, asked.scope]);
    const kept = this.#kept.get(key);
    const count = kept === undefined || kept.isStale ? new Count(this.#deps, asked.scope, rules) : kept;
    this.#kept.delete(key);
    this.#kept.set(key, count);
    for (const old of [...this.#kept.keys()].slice(0, -KEPT)) this.#kept.delete(old);
    return count.goOn(asked);
  }
}

class Count {
  readonly #deps: RuleHitsDeps;
  readonly #scope: HostScope;
  readonly #rules: Awaited<ReturnType<EvaluatorCache['counting']>>;
  #programs: readonly { readonly program: PreviewProgram; readonly of: ReadonlySet<string> }[] | undefined;
  #after: string | undefined;
  #looked = 0;
  #isOver = false;
  #overAt = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: RuleHitsDeps, scope: HostScope, rules: Awaited<ReturnType<EvaluatorCache['counting']>>) {
    this.#deps = deps;
    this.#scope = scope;
    this.#rules = rules;
  }

  /** Whether rules may hit other hosts by now though neither they nor hosts changed. */
  get isStale(): boolean {
    if (!this.#isOver || this.#programs?.some(({ program }) => program.volatile) !== true) return false;
    return this.#deps.clock.now().getTime() >= this.#overAt + VOLATILE_MILLISECONDS;
  }

  /** Two at once would count hosts twice. */
  goOn(asked: Asked): Promise<HitCounts> {
    const turn = this.#turn.then(() => this.#goOn(asked));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #goOn({ seconds, signal, progress }: Asked): Promise<HitCounts> {
    this.#programs ??= await this.#compiled();
    const filter = { scope: this.#scope, kind: 'hosts', state: 'active' } as const;
    const hosts = this.#isOver ? this.#looked : await this.#deps.storage.hosts.count(filter);
    const end = performance.now() + seconds * 1000;
    if (!this.#isOver && seconds > 0) {
      let isEnd = true;
      for await (const batch of this.#deps.storage.hosts.scan(filter, BATCH_SIZE, this.#after)) {
        signal.throwIfAborted();
        for (const host of batch) for (const { program } of this.#programs) program.count(host);
        this.#looked += batch.length;
        this.#after = batch.at(-1)?.hostname;
        progress({ done: this.#looked, total: hosts, unit: 'hosts' });
        if (performance.now() > end) {
          isEnd = false;
          break;
        }
      }
      this.#isOver = isEnd;
      this.#overAt = this.#deps.clock.now().getTime();
    }
    return {
      looked: this.#looked,
      hosts: this.#isOver ? this.#looked : Math.max(hosts, this.#looked),
      rules: new Map(
        this.#programs.flatMap(({ program, of }) => [...program.counts()].filter(([rule]) => of.has(rule))),
      ),
    };
  }

  /** A program for each project and type of targets that rules are for. Rules for every consumer run in all of them, and count in one. */
  async #compiled() {
    const { storage, plugins } = this.#deps;
    const names = projectNames((await storage.rules.list(PROJECTS)).map(({ document }) => document.value));
    const programs = new Map<string, { program: PreviewProgram; of: Set<string> }>();
    for (const { id: type, evaluation } of plugins.ruleTypes()) {
      if (evaluation === undefined) continue;
      for (const { id, document } of await storage.rules.list(type)) {
        if (!memberFlag(document.value, 'enabled')) continue;
        const project = evaluation.stage === 'attributes' ? null : names(document.value);
        if (project === undefined) continue;
        const key = JSON.stringify([project, evaluation.target]);
        let found = programs.get(key);
        if (found === undefined) {
          found = { program: await this.#rules.program(project, evaluation.target), of: new Set() };
          programs.set(key, found);
        }
        found.of.add(`${type} ${id}`);
      }
    }
    return [...programs.values()];
  }
}

/**
 * Returns the project in whose inventory a rule runs, `null` for the inventory without a project; `undefined` if it runs in none
 * because its project does not exist or is disabled.
 */
function projectNames(projects: readonly RuleDocument[]): (rule: RuleDocument) => string | null | undefined {
  const enabled = new Map<string, string | null>([[DEFAULT_PROJECT, null]]);
  for (const project of projects) {
    const name = String(project.name);
    const isDefault = name === DEFAULT_PROJECT;
    if (!isDefault && !memberFlag(project, 'enabled')) continue;
    for (const reference of [name, memberReference(project, '_id')]) {
      if (reference !== undefined) enabled.set(reference, isDefault ? null : name);
    }
  }
  return (rule) => {
    const reference = memberReference(rule, 'project');
    return reference === undefined ? null : enabled.get(reference);
  };
}
