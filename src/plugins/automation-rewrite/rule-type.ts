import { rewriteType } from '../shared/rewrites/rule-type.ts';

export const automationRewrite = rewriteType({
  id: 'automation_rewrite',
  aliases: ['ansible_rewrite'],
  title: 'Rewrite attributes',
  group: 'Inventory of a project',
  description: 'Renames attributes of the project’s hosts and changes their values, before the filter looks at them.',
});
