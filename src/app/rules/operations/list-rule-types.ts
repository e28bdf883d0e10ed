import * as z from 'zod';
import { printable } from '../../../kit/words/escape.ts';
import { isRestricted } from '../../kernel/caller.ts';
import { columnNames } from '../../kernel/listing.ts';
import type { Column } from '../../kernel/print.ts';
import { switchSchema } from '../rule-type-input.ts';
import { defineOperation } from '../services.ts';
import { unknownRuleType, unknownTypes } from '../unknown-types.ts';

const COLUMNS: readonly Column<{ readonly type: string; readonly kept: string }>[] = [
  { header: 'type', value: ({ type }) => type },
  { header: 'kept', value: ({ kept }) => kept, shrink: true },
];

/** Names alone: who asks for them does not wait until documents and hosts are counted, as `describeRuleTypes` does. */
export const listRuleTypes = defineOperation({
  name: 'rules/list-rule-types',
  title: 'Rule types',
  description: 'Ids of all rule types, those included whose documents are kept without effect.',
  effect: 'read',
  roles: ['rules'],
  weight: 'light',
  at: {
    command: {
      words: 'rules types',
      storage: 'optional',
      description: 'List the idents of all rule types, one a line.',
      options: { kept: { flags: '--kept', description: 'mark types whose documents have no effect, with the reason' } },
      columns: columnNames(COLUMNS),
      json: 'answer {"rule_types": […]}',
      examples: ['muster rules types', 'muster rules types --kept'],
      view: ({ rule_types, kept = {} }, print) => {
        // A stored ident may be the name of a member that every object has.
        const reasons = new Map(Object.entries(kept));
        if (print.asksForTable)
          return print.table(
            rule_types.map((type) => ({ type, kept: reasons.get(type) ?? '' })),
            COLUMNS,
            'There are no rule types.',
          );
        const mark = (type: string): string => (reasons.has(type) ? `  kept: its documents ${reasons.get(type)}` : '');
        return print.result(rule_types.map((type) => `${printable(`${type}${mark(type)}`)}\n`).join(''));
      },
    },
    rest: { path: 'GET /rules/types', query: ['kept'] },
    tool: { name: 'list_rule_types' },
  },
  input: z.object({
    kept: switchSchema.describe('1 also lists the types that are only kept, and what their documents wait for'),
  }),
  output: z.object({
    rule_types: z.array(z.string()),
    kept: z
      .record(z.string(), z.string())
      .optional()
      .describe('When asked for: why documents of types have no effect, as words that follow "its documents"'),
  }),
  async run({ kept: isAsked }, { services: { plugins, storage }, caller }) {
    // Restricted callers see no documents of unknown types.
    const unknown = isRestricted(caller) ? [] : await unknownTypes(storage, plugins);
    const types = [...plugins.ruleTypes(), ...unknown.map(({ ident }) => unknownRuleType(ident))];
    const reasons = types.flatMap(({ id, kept }) => (kept === undefined ? [] : [[id, kept.reason] as const]));
    return { rule_types: types.map(({ id }) => id).sort(), ...(isAsked ? { kept: Object.fromEntries(reasons) } : {}) };
  },
});
