import type { CompiledRule } from './compiled-rule.ts';
import type { HostState } from './host-state.ts';
import { type RuleRow, runRow } from './list-rules.ts';
import type { PlaybookRuleHit } from './program-input.ts';
import { act, matches } from './run-rules.ts';

/** Works like `runRules`, and distinguishes rules that failed from those that do not match. */
export function collectPlaybooks(
  rules: readonly CompiledRule[],
  state: HostState,
  hits: PlaybookRuleHit[],
  undecided: Set<string>,
): void {
  for (const [index, rule] of rules.entries()) {
    const { envelope, failures } = rule;
    const before = failures.errors;
    state.failures = failures;
    state.hit = false;
    state.matchingTag = undefined;
    state.wishes = [];
    if (matches(rule, state)) {
      state.hit = true;
      act(rule, state);
      state.hit = false;
      if (failures.errors === before) {
        hits.push({
          ruleId: envelope.id,
          ruleName: envelope.name,
          confirmed: rule.confirmed,
          wishes: state.wishes,
        });
        if (rule.lastMatch) return;
        continue;
      }
    }
    if (failures.errors === before) continue;
    undecided.add(envelope.id);
    if (!rule.lastMatch) continue;
    for (const later of rules.slice(index + 1)) undecided.add(later.envelope.id);
    return;
  }
}

/** As `collectPlaybooks`, of one row that names the host. */
export function collectRow(row: RuleRow, state: HostState, hits: PlaybookRuleHit[], undecided: Set<string>): void {
  const { envelope, failures, confirmed } = row.rule;
  const before = failures.errors;
  state.wishes = [];
  runRow(row, state, new Map());
  const { wishes } = state;
  if (failures.errors !== before) undecided.add(envelope.id);
  else hits.push({ ruleId: envelope.id, ruleName: envelope.name, confirmed, wishes });
}
