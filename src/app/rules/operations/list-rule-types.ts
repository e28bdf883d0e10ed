import * as z from 'zod';
import { printable } from '../../words/escape.ts';
import { defineOperation } from '../services.ts';
import { unknownTypes } from '../unknown-types.ts';

/** Names alone: who asks for them does not wait until documents and hosts are counted, as `describeRuleTypes` does. */
export const listRuleTypes = defineOperation({
  name: 'rules/list-rule-types',
  title: 'Rule types',
  description: 'Ids of all rule types, including kept types that no plugin knows.',
  effect: 'read',
  roles: ['rules'],
  weight: 'light',
  at: {
    command: {
      words: 'rules types',
      description: 'List the idents of all rule types, one a line.',
      json: 'answer {"rule_types": […]}',
      examples: ['muster rules types'],
      view: ({ rule_types }, print) => print.result(rule_types.map((type) => `${printable(type)}\n`).join('')),
    },
    rest: { path: 'GET /rules/types' },
    tool: { name: 'list_rule_types' },
  },
  input: z.object({}),
  output: z.object({ rule_types: z.array(z.string()) }),
  async run(_input, { services: { plugins, storage }, caller }) {
    // Of types that nobody knows, who is restricted to accounts sees no documents.
    const unknown = caller.scope === null ? await unknownTypes(storage, plugins) : [];
    return { rule_types: [...plugins.ruleTypeIds(), ...unknown.map(({ ident }) => ident)].sort() };
  },
});
