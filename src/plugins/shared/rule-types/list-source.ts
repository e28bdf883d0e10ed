import type { RuleMembers } from '../../../ports/rule-member.ts';

/** Members of types whose documents may take a pasted list. `makes` says what happens to a row. */
export function listMembers(makes: string): RuleMembers {
  return {
    rule_source: {
      kind: 'choice',
      title: 'The rule looks at',
      choices: ['', 'hosts', 'list'],
      description: `\`hosts\`: the rule looks at every host. \`list\`: it looks at the rows of \`list_source\` instead, and ${makes}; conditions do not apply. Empty: \`list\` when there is one.`,
    },
    list_source: {
      kind: 'text',
      description:
        'A table: its first line names the columns, separated by tab, `;`, `,` or `|`. Every column is a variable of the templates (`Service Level` is `{{ service_level }}`), in addition to `row`, `row_idx` and `HOSTNAME`, which is the cell of the column `hostname` or `name`.',
    },
  };
}
