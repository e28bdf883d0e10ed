import type { RuleName } from '../../../../../app/rules/engine/explanation.ts';
import { type Explained, type ExplainedValue, valuesOf } from '../explain/explained.ts';

/** One side of a difference. */
export interface ServedValue {
  readonly value: unknown;
  /** The rule that set it; absent if it comes from a source. */
  readonly rule?: RuleName;
}

export interface ServedDifference {
  readonly name: string;
  /** Absent if the host has no such value. */
  readonly left?: ServedValue;
  readonly right?: ServedValue;
}

/**
 * Returns attributes and variables that differ and that a rule set on at least one side, by name. Values that both have from
 * their sources alone are already among labels and inventory.
 */
export function servedDifferences(left: Explained, right: Explained): readonly ServedDifference[] {
  const [ours, theirs] = [servedOf(left), servedOf(right)];
  return [...new Set([...ours.keys(), ...theirs.keys()])].sort().flatMap((name) => {
    const [one, other] = [ours.get(name), theirs.get(name)];
    const isByRules = one?.rule !== undefined || other?.rule !== undefined;
    if (!isByRules || JSON.stringify(one?.value) === JSON.stringify(other?.value)) return [];
    return [{ name, ...(one === undefined ? {} : { left: one }), ...(other === undefined ? {} : { right: other }) }];
  });
}

function servedOf(explained: Explained): ReadonlyMap<string, ServedValue> {
  return new Map(valuesOf(explained).map((value) => [value.name, servedValue(value)]));
}

function servedValue({ value, origin }: ExplainedValue): ServedValue {
  if (origin.kind !== 'rule' && origin.kind !== 'row') return { value };
  const { type, id, name } = origin;
  return { value, rule: { type, id, name } };
}

export interface GroupDifferences {
  readonly onlyLeft: readonly string[];
  readonly onlyRight: readonly string[];
}

/** Groups that one of them is in and the other is not, in their order. */
export function groupDifferences(left: Explained, right: Explained): GroupDifferences {
  const [ours, theirs] = [groupsOf(left), groupsOf(right)];
  return {
    onlyLeft: [...ours].filter((group) => !theirs.has(group)),
    onlyRight: [...theirs].filter((group) => !ours.has(group)),
  };
}

function groupsOf({ groups }: Explained): ReadonlySet<string> {
  return new Set(groups.map(({ group }) => group));
}

/** Returns the differing effects of rules on two hosts, and their number of lines. */
export function ruledDifferences(left: Explained, right: Explained) {
  const values = servedDifferences(left, right);
  const { onlyLeft, onlyRight } = groupDifferences(left, right);
  const isGrouped = onlyLeft.length + onlyRight.length > 0;
  const isApart = left.explanation.included !== right.explanation.included;
  return {
    values,
    onlyLeft,
    onlyRight,
    isGrouped,
    isApart,
    count: values.length + Number(isGrouped) + Number(isApart),
  };
}
