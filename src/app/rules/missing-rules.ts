import { memberFlag } from '../../kit/document/members.ts';
import { saidFault } from '../../kit/template-fault.ts';
import { abridged, detailOf, enumerated, type Said, strung, worded } from '../../kit/worded.ts';
import { AppError, type ErrorDetail, type Storage, type WaitingRule } from '../../ports/index.ts';
import type { PluginRegistry } from '../kernel/plugin-host/registry.ts';
import type { RuleFailure } from './engine/rule-failures.ts';
import { inertTypes } from './unknown-types.ts';

/** Number of rules that a message names; the details of the error contain all of them. */
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
    if (kept) continue;
    const enabled = (await storage.rules.list(ident)).filter(({ document }) => memberFlag(document.value, 'enabled'));
    if (enabled.length > 0) missing.push({ type: ident, rules: enabled.map(({ id, name }) => name || id) });
  }
  return missing;
}

/** Says what is wrong and what to do, in one sentence per type. */
function missingSaid({ type, rules }: MissingRules): Said {
  const names = someOf(rules);
  const first = JSON.stringify(rules[0] ?? '');
  return rules.length === 1
    ? worded`1 enabled rule of type ${{ type }} (${{ names }}): no loaded plugin knows this type; load its plugin (why it is not: "muster plugins"), or remove them ("muster rules remove ${{ type }} ${{ first }}")`
    : worded`${{ count: String(rules.length) }} enabled rules of type ${{ type }} (${{ names }}): no loaded plugin knows this type; load its plugin (why it is not: "muster plugins"), or remove them ("muster rules remove ${{ type }} ${{ first }}")`;
}

/** Fewer rules than are enabled may let out what one of them hides, so nothing goes out. */
export function missingError(missing: readonly MissingRules[]): AppError {
  return notAsWritten(
    strung(missing.map(missingSaid)) ?? '',
    missing.flatMap(({ type, rules }) =>
      rules.map((name) =>
        detailOf(type, worded`rule ${{ name: JSON.stringify(name) }}: no loaded plugin knows this type`),
      ),
    ),
  );
}

/** Rules of a known type that do not compile, such as after another version of their plugin came. */
export function brokenError(broken: readonly RuleFailure[]): AppError {
  const shown = broken.slice(0, NAMED).map(brokenSaid);
  const more = broken.length - shown.length;
  const rules = strung(more > 0 ? [...shown, worded`and ${{ more: String(more) }} more`] : shown) ?? '';
  return notAsWritten(
    worded`${{ rules }}; correct or disable what is named, see "muster doctor"`,
    broken.map(({ type, name, lastError }) =>
      detailOf(type, worded`rule ${{ name: JSON.stringify(name) }}: ${{ problem: saidFault(lastError) }}`),
    ),
  );
}

/**
 * Returns the error for rules of a target that act on it and are not confirmed: without them, the target would get something
 * else.
 */
export function pendingError(pending: readonly WaitingRule[]): AppError {
  const [first] = pending;
  const named = pending
    .slice(0, NAMED)
    .map(({ type, name }) => worded`rule ${{ name: JSON.stringify(name) }} of type ${{ type }}`);
  const listed = enumerated(named) ?? '';
  const more = String(pending.length - NAMED);
  const rules = pending.length > NAMED ? worded`${{ names: listed }} and ${{ more }} more` : listed;
  const [type, name] = [first?.type ?? '', JSON.stringify(first?.name)];
  return notAsWritten(
    pending.length === 1
      ? worded`${{ rules }} waits for an administrator to confirm it ("muster rules confirm ${{ type }} ${{ name }}")`
      : worded`${{ rules }} wait for an administrator to confirm them ("muster rules confirm ${{ type }} ${{ name }}")`,
    pending.map((rule) =>
      detailOf(rule.type, worded`rule ${{ name: JSON.stringify(rule.name) }} waits for confirmation`),
    ),
  );
}

function brokenSaid({ type, name, lastError }: RuleFailure): Said {
  return worded`rule ${{ name: JSON.stringify(name) }} of type ${{ type }} cannot work: ${{ problem: saidFault(lastError) }}`;
}

function notAsWritten(reason: Said, details: readonly ErrorDetail[]): AppError {
  const message = worded`not all enabled rules can be evaluated as written, and nothing is published with fewer of them: ${{ reason }}`;
  return new AppError('unavailable', message, { details, retryAfterSeconds: RETRY_SECONDS });
}

function someOf(rules: readonly string[]): Said {
  const shown = rules.slice(0, NAMED).map((name) => JSON.stringify(name));
  return abridged(shown, rules.length);
}
