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

/**
 * Runs the filter rules of every type. One that breaks off may have been about to take the host out, so the host leaves:
 * better one that is missing and named than one that goes out.
 */
export function runFilters(runs: readonly (readonly CompiledRule[])[], host: HostState): void {
  host.faulted = false;
  for (const rules of runs) runRules(rules, host);
  // A fault does not matter if another rule removes the host anyway.
  host.faulted &&= !host.filter.ignored;
  if (host.faulted) host.filter.ignoreHost();
}

/** The filter rules of a target decide by themselves: what the others hide they cannot show. */
export function runTargetFilters(runs: readonly (readonly CompiledRule[])[], host: HostState): void {
  host.filter = host.targetFilter;
  runFilters(runs, host);
  host.filter = host.projectFilter;
}

/** Runs what a target decides on. Of a host on which one of its rules breaks off it is not known what it is to be there. */
export function runOutcomes(runs: readonly (readonly CompiledRule[])[], host: HostState): void {
  host.faulted = false;
  for (const rules of runs) runRules(rules, host);
}

/** Conditions and actions are written not to throw; a fault in one of them must cost its own rule only. */
export function matches(rule: CompiledRule, host: HostState): boolean {
  try {
    return rule.matches(host);
  } catch (error) {
    fault(host, error);
    return false;
  }
}

export function act(rule: CompiledRule, host: HostState): void {
  try {
    const answer: unknown = rule.action(host);
    if (answer instanceof Promise) {
      answer.catch(() => undefined);
      throw new Error(
        'its type works asynchronously, which rules cannot do: the result would arrive too late for the host',
      );
    }
  } catch (error) {
    fault(host, error);
  }
}

function fault(host: HostState, error: unknown): void {
  host.faulted = true;
  host.meter.failed(error);
  host.report(errorMessage(error));
}
