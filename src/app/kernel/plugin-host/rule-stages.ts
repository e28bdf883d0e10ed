import { AppError, type RuleStage, type RuleType } from '../../../ports/index.ts';

export const RULE_STAGES = ['attributes', 'rewrite', 'filter', 'variables', 'target', 'playbooks'] as const;

const STAGES: ReadonlySet<RuleStage> = new Set(RULE_STAGES);
/** In which rules of one type of targets have a place. */
const OF_TARGETS: ReadonlySet<RuleStage> = new Set(['rewrite', 'filter', 'variables', 'target']);

/** Throws for a stage that does not exist or is not evaluated: its rules would never run, without anyone noticing. */
export function requireStage({ id, evaluation, takesList }: RuleType): void {
  if (evaluation === undefined) return;
  const { stage, target, hostsOnly } = evaluation;
  if (!STAGES.has(stage)) throw refused(id, `there is no stage ${stage}; there are ${RULE_STAGES.join(', ')}`);
  if (hostsOnly === true && stage !== 'filter') throw refused(id, 'hostsOnly is for the stage filter');
  if (target === undefined) {
    if (stage === 'target')
      throw refused(id, 'the stage target needs "target", the type of targets that the rules are for');
    return;
  }
  if (!OF_TARGETS.has(stage)) {
    throw refused(id, `rules of a target have no stage ${stage}; they have ${[...OF_TARGETS].join(', ')}`);
  }
  if (takesList === true) throw refused(id, 'rules of a target are about hosts and take no lists');
}

/** Throws unless the plugin of the target itself registers the rules: only it decides where its hosts go. */
export function requireOwnTarget({ id, evaluation }: RuleType, isOwn: (target: string) => boolean): void {
  const target = evaluation?.target;
  if (target === undefined || isOwn(target)) return;
  throw refused(id, `its rules are for the target ${target}, which the same plugin must register under this id`);
}

function refused(id: string, what: string): AppError {
  return new AppError('invalid_input', `rule type ${id}: ${what}`);
}
