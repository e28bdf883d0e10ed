import type { RuleRecord, RuleType } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { RULE_STAGES } from '../kernel/plugin-host/rule-stages.ts';
import { compareEnvelopes, type RuleEnvelope, readEnvelope } from './engine/envelope.ts';
import { isVisible } from './require-rule.ts';
import type { RuleServices } from './services.ts';

export interface PlacedRule {
  readonly type: RuleType;
  readonly record: RuleRecord;
  readonly envelope: RuleEnvelope;
}

/** Types whose rules run over hosts, in the order in which a host passes them. */
export function typesInOrder(types: readonly RuleType[]): readonly RuleType[] {
  return inOrder(types.filter(({ evaluation }) => evaluation !== undefined));
}

/** Types in the order in which a host passes them: those of targets behind the others of their stage. */
export function inOrder(types: readonly RuleType[]): readonly RuleType[] {
  const stageOf = ({ evaluation }: RuleType): number =>
    evaluation === undefined ? RULE_STAGES.length : RULE_STAGES.indexOf(evaluation.stage);
  const isTargets = ({ evaluation }: RuleType): number => (evaluation?.target === undefined ? 0 : 1);
  return types.toSorted((a, b) => stageOf(a) - stageOf(b) || isTargets(a) - isTargets(b) || (a.id < b.id ? -1 : 1));
}

/** The rules of a type that the caller may see, in the order in which they run, disabled ones too. */
export async function rulesInOrder(
  { storage }: Pick<RuleServices, 'storage'>,
  caller: Caller,
  type: RuleType,
): Promise<readonly PlacedRule[]> {
  return (await storage.rules.list(type.id))
    .filter((record) => isVisible(type, record, caller))
    .map((record) => ({ type, record, envelope: readEnvelope(record.document.value, type) }))
    .sort((a, b) => compareEnvelopes(a.envelope, b.envelope));
}
