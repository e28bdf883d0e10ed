import type { PlaybookMatch, Storage } from '../../ports/index.ts';
import { type FireMark, fireMarks, removeFireMark } from '../rules/fire-marks.ts';

/** Stands for the playbooks that a rule names for a host, while it cannot be told which these are. */
export const OPEN = '';

/** What a pass finds of a rule that came from another installation. */
export interface RuleBaseline {
  readonly id: string;
  readonly rule: string;
  /** Hosts and playbooks that count as fired. */
  readonly matches: number;
  /** Hosts where it cannot be told yet: what it turns out to match there counts as fired too. */
  readonly open: number;
  /** Whether this pass tells it; else the rule is disabled, waits, or there is no host. */
  readonly evaluated: boolean;
}

type Stores = Pick<Storage, 'rules' | 'playbooks'>;

interface FireBaselineRequest {
  readonly startedAt: Date;
  /** False only counts. */
  readonly change: boolean;
}

interface Marked extends FireMark {
  readonly name: string;
  matches: number;
  open: number;
}

const AT_ONCE = 100;

/**
 * Remembers what marked rules match as fired, for however many hosts, and takes their marks away when all of it is remembered:
 * a pass that ends before is repeated by the next one, and until then nothing runs.
 */
export class FireBaseline {
  readonly #storage: Stores;
  readonly #request: FireBaselineRequest;
  readonly #marked: ReadonlyMap<string, Marked>;
  #found: PlaybookMatch[] = [];

  private constructor(storage: Stores, request: FireBaselineRequest, marked: ReadonlyMap<string, Marked>) {
    this.#storage = storage;
    this.#request = request;
    this.#marked = marked;
  }

  static async read(storage: Stores, request: FireBaselineRequest): Promise<FireBaseline> {
    const marked = new Map<string, Marked>();
    for (const mark of await fireMarks(storage)) {
      const record = await storage.rules.get(mark.ruleType, mark.ruleId);
      if (record !== undefined) marked.set(mark.ruleId, { ...mark, name: record.name, matches: 0, open: 0 });
      else if (request.change) await removeFireMark(storage, mark.ruleId, request.startedAt);
    }
    return new FireBaseline(storage, request, marked);
  }

  isMarked(ruleId: string): boolean {
    return this.#marked.has(ruleId);
  }

  get isFull(): boolean {
    return this.#found.length >= AT_ONCE;
  }

  count(match: PlaybookMatch): void {
    const mark = this.#marked.get(match.ruleId);
    if (mark !== undefined) mark.matches++;
    this.#found.push(match);
  }

  /** The rule failed on the host, or names a playbook that the manifest does not have: what it begins is told by a later pass. */
  leaveOpen(ruleId: string, hostname: string): void {
    const mark = this.#marked.get(ruleId);
    if (mark === undefined) return;
    mark.open++;
    this.#found.push({ ruleId, playbook: OPEN, hostname });
  }

  async flush(): Promise<void> {
    const found = this.#found;
    this.#found = [];
    if (!this.#request.change) return;
    const { playbooks } = this.#storage;
    const since = this.#request.startedAt;
    await Promise.all(found.map((match) => playbooks.remember({ ...match, since })));
  }

  /** Takes the marks of rules away that were evaluated on every host. */
  async finish(isEvaluated: (ruleId: string) => boolean): Promise<readonly RuleBaseline[]> {
    await this.flush();
    const rules = [...this.#marked.values()].map(({ ruleId, name, matches, open }) => {
      return { id: ruleId, rule: name, matches, open, evaluated: isEvaluated(ruleId) };
    });
    if (this.#request.change) {
      const done = rules.filter(({ evaluated }) => evaluated);
      for (const { id } of done) await removeFireMark(this.#storage, id, this.#request.startedAt);
    }
    return rules.sort((left, right) => (left.rule < right.rule ? -1 : 1));
  }
}
