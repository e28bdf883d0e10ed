import { HOST_TEMPLATES, PROJECTS } from '../rules/rule-generation.ts';
import type { InventoryServices } from './services.ts';

/** Types whose documents make an inventory. */
export function inventoryTypes({ plugins }: Pick<InventoryServices, 'plugins'>): readonly string[] {
  const evaluated = plugins
    .ruleTypes()
    .filter(({ evaluation }) => evaluation !== undefined && evaluation.target === undefined);
  return [...new Set([...evaluated.map(({ id }) => id), PROJECTS, HOST_TEMPLATES, 'automation_groups', 'accounts'])];
}
