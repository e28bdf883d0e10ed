import type { BrokenRule, CompiledRule } from './compiled-rule.ts';
import type { CompiledCondition } from './conditions.ts';
import type { HostState } from './host-state.ts';

/** The effect of one rule on the hosts that were counted. */
export interface RuleCount {
  /** Hosts on which it was asked at all: rules before it may take a host out, or end the run. */
  readonly reached: number;
  readonly hits: number;
  /** Hosts on which something of it went wrong. */
  readonly failing: number;
  /** Empty if there was no error. */
  readonly lastError: string;
  /** Empty for a rule that does not compile. */
  readonly lastHostname: string;
  /** Attributes that its conditions name and that none of the hosts has. */
  readonly unknownAttributes: readonly string[];
}

/** Counts hosts. One that passes a rule twice in a row is one host: its playbooks are asked about behind the rest. */
export class RuleTally {
  #last: string | undefined;
  reached = 0;
  hits = 0;
  readonly #unseen: Map<string, CompiledCondition>;

  constructor(conditions: readonly CompiledCondition[]) {
    this.#unseen = new Map(
      conditions.flatMap((condition) => {
        const { source } = condition;
        const isNamed = source.kind === 'attribute' && source.name.operator === 'equal' && !source.name.negate;
        return isNamed ? [[source.name.needle, condition]] : [];
      }),
    );
  }

  /** Whether the rule hits the host; also noted. */
  asked(host: HostState, matches: (host: HostState) => boolean): boolean {
    const isFirst = host.hostname !== this.#last;
    this.#last = host.hostname;
    if (isFirst) this.reached++;
    for (const [name, condition] of this.#unseen) {
      for (const _ of condition.candidates(host)) this.#unseen.delete(name);
    }
    const isHit = matches(host);
    if (isHit && isFirst) this.hits++;
    return isHit;
  }

  get unknownAttributes(): readonly string[] {
    return this.reached === 0 ? [] : [...this.#unseen.keys()];
  }
}

/** The same rule, which also counts. */
export function tallied(rule: CompiledRule): CompiledRule {
  const tally = new RuleTally(rule.conditions);
  return { ...rule, tally, matches: (host) => tally.asked(host, rule.matches) };
}

/** A rule that does not compile does nothing anywhere. */
export function countOf({ failures, ...rule }: CompiledRule | BrokenRule): RuleCount {
  const tally = 'tally' in rule ? rule.tally : undefined;
  return {
    reached: tally?.reached ?? 0,
    hits: tally?.hits ?? 0,
    failing: failures.hosts,
    lastError: failures.last.lastError,
    lastHostname: failures.last.lastHostname,
    unknownAttributes: tally?.unknownAttributes ?? [],
  };
}
