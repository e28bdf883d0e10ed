import { definePlugin, RuleCompileError } from 'muster/plugin-api';

/** A rule type: writes the values of some attributes in lower case, before the rules of any project see them. */
export default definePlugin({
  id: 'lower-case',
  apiVersion: 2,
  register(host) {
    host.ruleType({
      id: 'lower_case',
      aliases: [],
      title: 'Lower case',
      description: 'Writes the values of attributes in lower case.',
      keyedBy: 'name',
      uniqueNames: true,
      conditional: true,
      exportGroup: 'rules',
      secretMembers: [],
      schema: { properties: { outcomes: { type: 'array' } } },
      check: (document) => namesOf(document).problems,
      evaluation: {
        stage: 'attributes',
        compile(document) {
          const { names, problems } = namesOf(document);
          if (problems.length > 0) throw new RuleCompileError(problems[0].message);
          return ({ attributes }) => {
            for (const name of names) {
              const value = attributes.get(name);
              if (typeof value === 'string') attributes.set(name, value.toLowerCase());
            }
          };
        },
      },
    });
  },
});

function namesOf(document) {
  const names = (document.outcomes ?? []).map((outcome) => outcome.attribute_name);
  const problems = names.flatMap((name, index) =>
    typeof name === 'string' && name !== ''
      ? []
      : [{ path: `outcomes.${index}.attribute_name`, message: 'is required' }],
  );
  return { names, problems };
}
