import { AppError, type ErrorDetail, type Storage, type WaitingRule } from '../../ports/index.ts';
import type { PluginRegistry } from '../kernel/plugin-host/registry.ts';
import { memberFlag } from './document/members.ts';
import type { RuleFailure } from './engine/rule-failures.ts';
import { inertTypes } from './unknown-types.ts';

/** So many rules a message names; the details of the error have all. */
const NAMED = 5;
const RETRY_SECONDS = 60;

/** Enabled rules of a type whose plugin was there when they were stored, or later, and is not loaded now. */
export interface MissingRules {
  readonly type: string;
  /** Names. */
  readonly rules: readonly string[];
}

export async function missingRules(
  storage: Pick<Storage, 'rules'>,
  plugins: PluginRegistry,
): Promise<readonly MissingRules[]> {
  const missing: MissingRules[] = [];
  for (const { ident, kept } of await inertTypes(storage, plugins)) {
    if (kept || plugins.ruleType(ident)?.kept?.noRule === true) continue;
    const enabled = (await storage.rules.list(ident)).filter(({ document }) => memberFlag(document.value, 'enabled'));
    if (enabled.length > 0) missing.push({ type: ident, rules: enabled.map(({ id, name }) => name || id) });
  }
  return missing;
}

/** What is wrong and what to do, as one sentence for each type. */
function missingText({ type, rules }: MissingRules): string {
  const [first = ''] = rules;
  return (
    `${rules.length} enabled ${rules.length === 1 ? 'rule' : 'rules'} of type ${type} (${named(rules)}): no loaded plugin knows this type; ` +
    `load its plugin (why it is not: "muster plugins"), or remove them ("muster rules remove ${type} ${JSON.stringify(first)}")`
  );
}

/** Fewer rules than are enabled may let out what one of them hides, so nothing goes out. */
export function missingError(missing: readonly MissingRules[]): AppError {
  return notAsWritten(
    missing.map(missingText).join('; '),
    missing.flatMap(({ type, rules }) =>
      rules.map((name) => ({ path: type, message: `rule ${JSON.stringify(name)}: no loaded plugin knows this type` })),
    ),
  );
}

/** Rules of a known type that do not compile, such as after another version of their plugin came. */
export function brokenError(broken: readonly RuleFailure[]): AppError {
  const shown = broken.slice(0, NAMED).map(brokenText);
  const more = broken.length - shown.length;
  return notAsWritten(
    `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}; correct or disable what is named, see "muster doctor"`,
    broken.map(({ type, name, lastError }) => ({ path: type, message: `rule ${JSON.stringify(name)}: ${lastError}` })),
  );
}

/** Rules of a target that act on it, and that nobody vouches for: without them it would be told something else. */
export function waitingError(waiting: readonly WaitingRule[]): AppError {
  const [first] = waiting;
  return notAsWritten(
    `${waiting
      .map(({ type, name }) => `rule ${JSON.stringify(name)} of type ${type}`)
      .slice(0, NAMED)
      .join(', ')}${waiting.length > NAMED ? ` and ${waiting.length - NAMED} more` : ''} ` +
      `${waiting.length === 1 ? 'waits' : 'wait'} for an administrator to confirm ${waiting.length === 1 ? 'it' : 'them'} ("muster rules confirm ${first?.type} ${JSON.stringify(first?.name)}")`,
    waiting.map(({ type, name }) => ({ path: type, message: `rule ${JSON.stringify(name)} waits for confirmation` })),
  );
}

function brokenText({ type, name, lastError }: RuleFailure): string {
  return `rule ${JSON.stringify(name)} of type ${type} cannot work: ${lastError}`;
}

function notAsWritten(reason: string, details: readonly ErrorDetail[]): AppError {
  const message = `not all enabled rules can be evaluated as written, and nothing goes out with fewer of them: ${reason}`;
  return new AppError('unavailable', message, { details, retryAfterSeconds: RETRY_SECONDS });
}

function named(rules: readonly string[]): string {
  const shown = rules.slice(0, NAMED).map((name) => JSON.stringify(name));
  const more = rules.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
