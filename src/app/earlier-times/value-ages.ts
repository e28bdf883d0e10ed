import { setImmediate } from 'node:timers/promises';
import type { HostChange, HostRecord, JsonValue } from '../../ports/index.ts';
import type { EarlierRules } from '../rules/earlier-rules.ts';
import type { HostExplanation, RuleName } from '../rules/engine/explanation.ts';
import type { PreviewProgram } from '../rules/engine/program-input.ts';
import { EarlierHosts } from './earlier-hosts.ts';
import type { PastRules } from './past-rules.ts';

/** How many moments are examined, and for how long: each may compile all rules. */
const MOST_MOMENTS = 100;
const MOST_MILLISECONDS = 4000;

/** A value that a rule sets, and since when it is what it is. */
export interface ValueAge {
  readonly name: string;
  readonly rule: RuleName;
  readonly since: Date;
  /** False: it was so then, and what was before is not known. */
  readonly isExact: boolean;
  /** The cause of the value: the rule itself, other rules, data of the host, or the host's creation. */
  readonly by: 'rule' | 'rules' | 'host' | 'created' | null;
}

export interface Past {
  readonly host: HostRecord;
  /** Newest first. */
  readonly changes: readonly HostChange[];
  /** Before that, changes of the host or of rules are not known. */
  readonly knownFrom: Date;
  readonly rules: PastRules;
  readonly now: PreviewProgram;
  programOf(earlier: EarlierRules): Promise<PreviewProgram>;
}

/** Goes back from change to change, and sees which of the values were another before it. */
export async function valueAges(past: Past, present: Date, signal: AbortSignal): Promise<readonly ValueAge[]> {
  const { host, knownFrom } = past;
  const open = ruleValues(past.now.explain(host));
  const ages: ValueAge[] = [];
  const end = performance.now() + MOST_MILLISECONDS;
  const moments = momentsOf(past);
  // The last moment examined so far, at which the present values already held.
  let last = present;
  let isWhole = true;
  const programs = new Programs(past, signal);
  for (const [index, moment] of moments.entries()) {
    if (open.size === 0) break;
    if (index === MOST_MOMENTS || performance.now() > end) {
      isWhole = false;
      break;
    }
    signal.throwIfAborted();
    // Others have their turn between two moments.
    await setImmediate();
    const was = hostBefore(past, moment);
    const before = was === undefined ? undefined : ruleValues((await programs.before(moment)).explain(was));
    for (const [name, { value, rule }] of open) {
      const then = before?.get(name);
      if (then !== undefined && isSame(then, { value, rule })) continue;
      ages.push({
        name,
        rule,
        since: moment,
        isExact: true,
        by: was === undefined ? 'created' : causeOf(past, moment, rule),
      });
      open.delete(name);
    }
    last = moment;
  }
  const since = isWhole && knownFrom < last ? knownFrom : last;
  for (const [name, { rule }] of open) ages.push({ name, rule, since, isExact: false, by: null });
  return ages.sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface RuleValue {
  readonly value: JsonValue;
  readonly rule: RuleName;
}

/** By name; a variable takes the place of the attribute that it is laid over. */
function ruleValues({ attributes, variables }: HostExplanation): Map<string, RuleValue> {
  const values = new Map<string, RuleValue>();
  for (const { name, value, origin } of [...attributes.filter(({ replaced }) => !replaced), ...variables]) {
    if (origin.kind === 'rule') values.set(name, { value, rule: origin });
  }
  return values;
}

function isSame(a: RuleValue, b: RuleValue): boolean {
  return a.rule.type === b.rule.type && a.rule.id === b.rule.id && JSON.stringify(a.value) === JSON.stringify(b.value);
}

/** When the host or rules changed, newest first. */
function momentsOf({ host, changes, rules, knownFrom }: Past): readonly Date[] {
  const all = [...changes.map(({ at }) => at), ...rules.moments, host.createdAt];
  const times = new Set(all.filter((at) => at > knownFrom && at >= host.createdAt).map((at) => at.getTime()));
  return [...times].sort((a, b) => b - a).map((time) => new Date(time));
}

function hostBefore({ host, changes }: Past, moment: Date): HostRecord | undefined {
  // A change of the name is among them, under the name that the host has now.
  const undone = changes.filter(({ at }) => at >= moment).map((change) => ({ ...change, hostname: host.hostname }));
  return EarlierHosts.undoing(moment, undone).of(host);
}

function causeOf({ changes, rules }: Past, moment: Date, { type, id }: RuleName): 'rule' | 'rules' | 'host' {
  const version = rules.versionAt(type, id, moment);
  if (version?.at.getTime() === moment.getTime()) return 'rule';
  return changes.some(({ at }) => at.getTime() === moment.getTime()) ? 'host' : 'rules';
}

/** One program for all moments between two changes of rules. */
class Programs {
  readonly #past: Past;
  readonly #signal: AbortSignal;
  #changes = 0;
  #program: PreviewProgram;

  constructor(past: Past, signal: AbortSignal) {
    this.#past = past;
    this.#signal = signal;
    this.#program = past.now;
  }

  async before(moment: Date): Promise<PreviewProgram> {
    const { rules, programOf } = this.#past;
    const undone = rules.moments.filter((at) => at >= moment).length;
    if (undone === this.#changes) return this.#program;
    this.#program = await programOf(await rules.before(moment, this.#signal));
    this.#changes = undone;
    return this.#program;
  }
}
