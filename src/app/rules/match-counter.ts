import type { HostRecord } from '../../ports/index.ts';
import type { PreviewProgram } from './engine/program-input.ts';

/** A rule, and the type of targets that it is for. */
interface CountedRule {
  readonly type: string;
  readonly id: string;
  readonly target: string | undefined;
}

/** Counts for several rules of one project at once how many hosts each of them hits, where all of them run. */
export class MatchCounter {
  readonly #programs: readonly PreviewProgram[];
  readonly #matches: ReadonlyMap<string, { count: number; readonly program: PreviewProgram }>;

  private constructor(
    programs: readonly PreviewProgram[],
    matches: ReadonlyMap<string, { count: number; readonly program: PreviewProgram }>,
  ) {
    this.#programs = programs;
    this.#matches = matches;
  }

  /** Each type of targets has a program of its own. */
  static async of(
    rules: readonly CountedRule[],
    programOf: (target: string | undefined) => Promise<PreviewProgram>,
  ): Promise<MatchCounter> {
    const programs = new Map<string | undefined, PreviewProgram>();
    for (const target of new Set(rules.map((rule) => rule.target))) programs.set(target, await programOf(target));
    const matches = new Map<string, { count: number; readonly program: PreviewProgram }>();
    for (const { type, id, target } of rules) {
      const program = programs.get(target);
      if (program !== undefined) matches.set(`${type} ${id}`, { count: 0, program });
    }
    return new MatchCounter([...programs.values()], matches);
  }

  add(host: HostRecord): void {
    for (const program of this.#programs) {
      for (const { type, id, outcome } of program.explain(host).rules) {
        if (outcome !== 'hit') continue;
        const counted = this.#matches.get(`${type} ${id}`);
        if (counted?.program === program) counted.count++;
      }
    }
  }

  /** Hosts that the rule hit; `undefined` for one that is not counted. */
  of(type: string, id: string): number | undefined {
    return this.#matches.get(`${type} ${id}`)?.count;
  }
}
