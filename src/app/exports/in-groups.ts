import type {
  EvaluatedHost,
  GroupRules,
  HostEvaluator,
  HostRecord,
  InventoryGroup,
  InventoryRequest,
} from '../../ports/index.ts';
import type { RunServices } from '../runs/services.ts';

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

/** What rules say of the groups of that inventory. Objects that are groups are those of the scope. */
export function groupsOf(
  { inventories }: Pick<RunServices, 'inventories'>,
  project: string | null,
  request: InventoryRequest,
): Promise<readonly InventoryGroup[]> {
  return inventories.groups(project ?? WITHOUT_PROJECT, request);
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
