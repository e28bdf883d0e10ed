import { type RuleType, type RuleWrite, type Storage, StoredJson } from '../../ports/index.ts';
import { BASELINES } from '../kernel/plugin-host/registry.ts';

/**
 * A rule that fires and that comes from another installation has fired there. It is stored with a mark, in one unit: the first
 * pass that evaluates it here remembers what it matches as fired, and takes the mark away.
 */

/** The mark of a rule that no pass has evaluated here yet. */
export interface FireMark {
  readonly ruleId: string;
  readonly ruleType: string;
}

type Rules = Pick<Storage, 'rules'>;

export function firesPlaybooks(type: RuleType): boolean {
  return type.evaluation?.stage === 'playbooks';
}

/** Returns the mark stored with a rule. Its id is that of the rule, so a rule has at most one mark. */
export function fireMarkOf({ type, id }: Pick<RuleWrite, 'type' | 'id'>): RuleWrite {
  const document = { _id: { $oid: id }, name: type };
  return {
    type: BASELINES,
    id,
    name: type,
    uniqueName: false,
    document: StoredJson.ofValue(document),
    confirmedBy: null,
  };
}

export async function fireMarks({ rules }: Rules): Promise<readonly FireMark[]> {
  return (await rules.list(BASELINES)).map(({ id, name }) => ({ ruleId: id, ruleType: name }));
}

export async function isFireMarked({ rules }: Rules, ruleId: string): Promise<boolean> {
  return (await rules.get(BASELINES, ruleId)) !== undefined;
}

/** False when there was none. */
export function removeFireMark({ rules }: Rules, ruleId: string, at: Date): Promise<boolean> {
  return rules.remove({ type: BASELINES, id: ruleId, at, actor: { kind: 'system', name: 'playbooks' } });
}
