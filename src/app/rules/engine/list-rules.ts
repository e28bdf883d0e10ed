import { type ListRow, rowName } from '../../../kit/document/pasted-list.ts';
import { byBytes } from '../../../kit/names/variable-names.ts';
import type { JsonValue } from '../../../ports/json.ts';
import type { RuleVariable } from '../../../ports/rule-type.ts';
import type { CompiledRule } from './compiled-rule.ts';
import type { HostState } from './host-state.ts';
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

  readonly rules: ReadonlySet<CompiledRule>;

  constructor(rules: readonly CompiledRule[]) {
    this.rules = new Set(rules);
    for (const rule of rules) {
      for (const entry of rowsOf(rule)) {
        if (entry.hostname === '') continue;
        const found = this.#rows.get(entry.hostname);
        if (found === undefined) this.#rows.set(entry.hostname, [entry]);
        else found.push(entry);
      }
    }
    this.hostnames = [...this.#rows.keys()].sort(byBytes);
  }

  of(hostname: string): readonly RuleRow[] {
    return this.#rows.get(hostname) ?? NONE;
  }

  /** If several rows share a name, the last one of the last rule counts. */
  last(hostname: string): RuleRow | undefined {
    return this.#rows.get(hostname)?.at(-1);
  }
}

const NONE: readonly never[] = [];

/** The rows of one rule, those without a name too. */
export function* rowsOf(rule: CompiledRule): Generator<RuleRow> {
  for (const [index, row] of (rule.rows ?? NONE).entries()) yield { rule, row, index, hostname: rowName(row) };
}

/** A variable of this name takes a host or row out of the inventory, whatever its value. */
export const LEAVES = 'ignore_host';

/**
 * Does what the rule says, with the columns of the row in the place of a host's attributes: other rules add nothing to it.
 * Answers the columns.
 */
export function runRow(row: RuleRow, host: HostState, variables: Map<string, RuleVariable>): Map<string, JsonValue> {
  beginRow(row, host, variables);
  act(row.rule, host);
  return new Map<string, JsonValue>(Object.entries(row.row.cells));
}

/** Makes everything ready for the rule to do what it says to the row. */
export function beginRow(
  { rule, row, index, hostname }: RuleRow,
  host: HostState,
  variables: Map<string, RuleVariable>,
): void {
  const columns = Object.entries(row.cells);
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
}
