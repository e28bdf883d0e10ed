import type { JsonObject } from '../../../src/ports/index.ts';

/** The account options by which nothing of an inventory is lost, and the rules that serve it again as it was. */
export const KEPT_WHOLE = { groups: 'both', variables: 'own', variables_section: 'ansible', group_prefix: 'group:' };

export const SERVED_AS_IT_WAS: Readonly<Record<string, readonly JsonObject[]>> = {
  automation_filter: [
    {
      name: 'nothing but what the inventory had',
      enabled: true,
      condition_typ: 'anyway',
      outcomes: [{ action: 'whitelist_attribute', attribute_name: 'none' }],
    },
  ],
  automation_customvars: [
    {
      name: 'variables of hosts',
      enabled: true,
      condition_typ: 'anyway',
      outcomes: [{ attribute_name: '*', from_attributes: 'ansible__*', expression: true }],
    },
  ],
  automation_groups: [
    { name: 'groups', enabled: true, outcomes: [{ from_objects: 'group', section: 'ansible', expression: true }] },
  ],
};
