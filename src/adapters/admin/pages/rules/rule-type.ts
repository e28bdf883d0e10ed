import { t } from '@lingui/core/macro';
import { looksAtList } from '../../../../kit/document/pasted-list.ts';
import type { JsonObject } from '../../../../ports/index.ts';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useAnswer } from '../calls/use-call.ts';
import { textOf } from '../forms/document.ts';

export type RuleTypeInfo = OfferedOutput<'rules/describe-rule-types'>['types'][number];

export function useRuleTypes() {
  return useAnswer('rules/describe-rule-types', {});
}

/** The type of rules that make rules. */
export const AUTORULES = 'syncer_rule_automation';

/** Areas that a change of rules may affect, in addition to the rules themselves. */
export const CHANGED_BY_RULES = ['rules', 'inventory', 'accounts', 'users', 'cron', 'hosts'] as const;

/** Removed by their own commands only. */
export function isRemovable(type: RuleTypeInfo): boolean {
  return type.id !== 'accounts' && type.id !== 'users';
}

/** Whether it matters that a document is enabled. */
export function isSwitched(type: RuleTypeInfo): boolean {
  return type.switched;
}

/** Whether documents of the type change the content of inventories. */
export function changesHosts(type: RuleTypeInfo): boolean {
  return type.stage !== null || type.id === 'cmdb_templates';
}

/** Whether switching documents of the type changes the content of inventories: a project includes all its rules. */
export function switchesHosts(type: RuleTypeInfo): boolean {
  return changesHosts(type) || type.id === 'automation_projects';
}

/** Stages for exports and playbooks, which no inventory shows. */
const BESIDE_INVENTORY: ReadonlySet<string> = new Set(['target', 'playbooks']);

/** Types whose documents an inventory shows the effect of. */
export function servesInventory(type: RuleTypeInfo): boolean {
  return switchesHosts(type) && !(type.stage !== null && BESIDE_INVENTORY.has(type.stage));
}

/** Whether documents may be about the rows of a pasted list. */
export function takesList(type: RuleTypeInfo): boolean {
  const properties = type.schema.properties as Readonly<Record<string, unknown>> | undefined;
  return type.kept === null && properties?.list_source !== undefined;
}

/** Whether the outcomes of documents may be rows, each about one host. */
export function takesRows(type: RuleTypeInfo): boolean {
  const properties = type.schema.properties as Readonly<Record<string, unknown>> | undefined;
  return type.kept === null && properties?.rule_source !== undefined && !takesList(type);
}

/** Whether the rule looks at the rows of its list, and not at hosts. */
export function isListRule(type: RuleTypeInfo, { rule_source, list_source }: JsonObject): boolean {
  return takesList(type) && looksAtList(textOf(rule_source), textOf(list_source));
}

/** Whether documents belong to a project. */
export function hasProject(type: RuleTypeInfo): boolean {
  const properties = type.schema.properties as Readonly<Record<string, unknown>> | undefined;
  return properties?.project !== undefined;
}

interface Group {
  readonly title: string;
  readonly types: readonly RuleTypeInfo[];
}

/**
 * Returns the types by purpose, in their order; those that plugins add without a heading come later, and those without effect
 * last.
 */
export function grouped(types: readonly RuleTypeInfo[]): readonly Group[] {
  const groups = new Map<string, RuleTypeInfo[]>();
  for (const type of types.filter(({ kept }) => kept === null)) {
    const title = type.group?.title ?? t`From other plugins`;
    groups.set(title, [...(groups.get(title) ?? []), type]);
  }
  const inert = types.filter(({ kept }) => kept !== null);
  const titled = [...groups].map(([title, members]) => ({ title, types: members }));
  return inert.length === 0 ? titled : [...titled, { title: t`Stored without effect`, types: inert }];
}
