import type { CompiledRule } from './compiled-rule.ts';
import type { HostState } from './host-state.ts';
import { errorMessage } from './rule-failures.ts';

/** Runs the rules of one type over a host, in order, until one with `last_match` hits. */
export function runRules(rules: readonly CompiledRule[], host: HostState): void {
  for (const rule of rules) {
    host.failures = rule.failures;
    host.hit = false;
    host.matchingTag = undefined;
    if (!matches(rule, host)) continue;
    host.hit = true;
    act(rule, host);
    if (rule.lastMatch) break;
  }
  host.hit = false;
}

/** Conditions and actions are written not to throw; a fault in one of them must cost its own rule only. */
export function matches(rule: CompiledRule, host: HostState): boolean {
  try {
    return rule.matches(host);
  } catch (error) {
    host.meter.failed(error);
    host.report(errorMessage(error));
    return false;
  }
}

export function act(rule: CompiledRule, host: HostState): void {
  try {
    rule.action(host);
  } catch (error) {
    host.meter.failed(error);
    host.report(errorMessage(error));
  }
}
