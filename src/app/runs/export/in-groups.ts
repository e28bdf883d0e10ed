import type { EvaluatedHost, GroupRules, HostEvaluator, HostRecord } from '../../../ports/index.ts';
import type { RunServices } from '../services.ts';

/** The provider that serves what belongs to no project. */
const WITHOUT_PROJECT = 'automation';

/** What an export asks of rules. */
export type ExportEvaluator = Pick<HostEvaluator, 'evaluate' | 'revision'>;

/** The groups that hosts are in beside those that their variables name, in the inventory of a project (`null`: of none). */
export function groupRulesOf(
  { inventories }: Pick<RunServices, 'inventories'>,
  project: string | null,
): Promise<GroupRules | undefined> {
  return inventories.groupRules(project ?? WITHOUT_PROJECT);
}

/** A host in all groups that an inventory has it in. */
export function inGroups(host: EvaluatedHost, record: HostRecord, groupRules: GroupRules | undefined): EvaluatedHost {
  if (groupRules === undefined || record.isObject) return host;
  const further = Object.keys(groupRules(record));
  return further.length === 0 ? host : { ...host, groups: [...new Set([...host.groups, ...further])] };
}

/** An evaluator that puts hosts into these groups too. */
export function evaluatorInGroups(evaluator: HostEvaluator, groupRules: GroupRules | undefined): ExportEvaluator {
  if (groupRules === undefined) return evaluator;
  return {
    revision: evaluator.revision,
    evaluate: (record, use) => inGroups(evaluator.evaluate(record, use), record, groupRules),
  };
}
