/** JSON Schema of what an import takes, for the documentation: the operations take anything and say what is wrong with it. */

export const ruleDocument = { title: 'RuleDocument', type: 'object', description: 'A rule document, as exported' };
export const listOfRules = { type: 'array', items: ruleDocument };

const override = { type: 'boolean', default: false };

export const bundleSchema = {
  title: 'RuleBundle',
  anyOf: [
    {
      title: 'RulesOfOneType',
      type: 'object',
      required: ['rule_type', 'rules'],
      properties: { rule_type: { type: 'string' }, rules: listOfRules, override },
    },
    {
      title: 'RulesByType',
      type: 'object',
      required: ['rules'],
      properties: {
        rules: { type: 'object', additionalProperties: listOfRules, description: 'Lists of rules by rule type' },
        override,
      },
    },
  ],
};
