import type { JsonValue } from '../../../ports/json.ts';
import type { RuleVariable } from '../../../ports/rule-type.ts';
import { type ListRow, rowName } from '../document/pasted-list.ts';
import type { CompiledRule } from './compiled-rule.ts';
import type { HostState } from './host-state.ts';
import { byBytes } from './names/variable-names.ts';
import { act } from './run-rules.ts';

/** A row with the rule that it is of. */
export interface RuleRow {
  readonly rule: CompiledRule;
  readonly row: ListRow;
  /** Its place in the list, from 0. */
  readonly index: number;
  readonly hostname: string;
}

/** The rows of rules by the hosts that they name, in the order of rules and lists. */
export class RuleRows {
  /** In byte order. */
  readonly hostnames: readonly string[];
  readonly #rows = new Map<string, RuleRow[]>();

  constructor(rules: readonly CompiledRule[]) {
    for (const rule of rules) {
      for (const [index, row] of (rule.rows ?? []).entries()) {
        const hostname = rowName(row);
        if (hostname === '') continue;
        const found = this.#rows.get(hostname);
        const entry = { rule, row, index, hostname };
        if (found === undefined) this.#rows.set(hostname, [entry]);
        else found.push(entry);
      }
    }
    this.hostnames = [...this.#rows.keys()].sort(byBytes);
  }

  of(hostname: string): readonly RuleRow[] {
    return this.#rows.get(hostname) ?? NONE;
  }

  /** Of several rows of one name the last one of the last rule counts. */
  last(hostname: string): RuleRow | undefined {
    return this.#rows.get(hostname)?.at(-1);
  }
}

const NONE: readonly never[] = [];

/**
 * Does what the rule says, with the columns of the row in the place of a host's attributes: other rules add nothing to it.
 * Answers the columns.
 */
export function runRow(
  { rule, row, index, hostname }: RuleRow,
  host: HostState,
  variables: Map<string, RuleVariable>,
): Map<string, JsonValue> {
  const columns = new Map<string, JsonValue>(Object.entries(row.cells));
  const attributes = new Map<string, JsonValue>([
    ...columns,
    ['row', row.cells],
    ['row_idx', index],
    ['HOSTNAME', hostname],
  ]);
  host.begin(hostname, attributes, variables);
  host.failures = rule.failures;
  host.matchingTag = undefined;
  if (rule.confirmed) for (const [name, value] of columns) if (name.includes('ansible')) host.vouch(name, value);
  act(rule, host);
  return columns;
}
