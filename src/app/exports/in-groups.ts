import { memberFlag } from '../../kit/document/members.ts';
import { worded } from '../../kit/worded.ts';
import {
  AppError,
  type EvaluatedHost,
  type GroupRules,
  type HostEvaluator,
  type HostRecord,
  type InventoryGroup,
  type InventoryRequest,
} from '../../ports/index.ts';
import type { RunServices } from '../runs/services.ts';

/** The provider that serves what belongs to no project. */
const WITHOUT_PROJECT = 'automation';

/** The part of the evaluator that an export uses. */
export type ExportEvaluator = Pick<HostEvaluator, 'evaluate' | 'revision'>;

/**
 * Returns the rules for groups in addition to those that variables of hosts name, in the inventory of a project (`null`: of
 * none).
 */
export function groupRulesOf(
  { inventories }: Pick<RunServices, 'inventories'>,
  project: string | null,
): Promise<GroupRules | undefined> {
  return inventories.groupRules(project ?? WITHOUT_PROJECT);
}

/** Returns the groups of that inventory as defined by rules. Objects that are groups are those of the scope. */
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

/** The project that rules without a project belong to. */
const DEFAULT_PROJECT = 'Default';

/**
 * The project as rules know it; `null` for none. One that is not there has no rules, and without its filters everything
 * would go out.
 */
export async function knownProject(services: RunServices, project: string): Promise<string | null> {
  if (project === '' || project === DEFAULT_PROJECT) return null;
  const projects = await services.storage.rules.list('automation_projects');
  const found = projects.find(({ name }) => name === project);
  if (found === undefined) {
    const known = projects.map(({ name }) => name).join(', ') || 'none';
    throw new AppError(
      'failed',
      worded`there is no project ${{ project }}, which the option "project" of the account names; projects: ${{ known }}`,
    );
  }
  if (!memberFlag(found.document.value, 'enabled')) {
    throw new AppError(
      'failed',
      worded`project ${{ project }}, which the option "project" of the account names, is disabled`,
    );
  }
  return project;
}
