import { definePlugin, RuleCompileError } from 'muster/plugin-api';

/** A rule type: gives hosts attributes, whose values are templates. */
export default definePlugin({
  id: 'my-plugin',
  apiVersion: 2,
  description: 'Gives hosts attributes.',
  register(host) {
    host.ruleType({
      id: 'my_plugin',
      aliases: [],
      title: 'My plugin',
      description: 'Gives hosts attributes, whose values are templates.',
      keyedBy: 'name',
      uniqueNames: true,
      conditional: true,
      exportGroup: 'rules',
      secretMembers: [],
      schema: { type: 'object', properties: { outcomes: { type: 'array' } } },
      check: problemsOf,
      evaluation: {
        // For every consumer, before the rules of any project.
        stage: 'attributes',
        compile(document, compiler) {
          const [problem] = problemsOf(document, compiler);
          if (problem !== undefined) throw new RuleCompileError(`${problem.path} ${problem.message}`);
          const outcomes = outcomesOf(document).map(({ attribute_name, attribute_value }) => {
            return { name: String(attribute_name), template: compiler.template(String(attribute_value)) };
          });
          // Runs for every host, and must depend on nothing but the host.
          return (host) => {
            for (const { name, template } of outcomes) {
              const value = template.render(host);
              if (value !== undefined) host.attributes.set(name, value);
            }
          };
        },
      },
    });
  },
});

function outcomesOf(document) {
  return Array.isArray(document.outcomes) ? document.outcomes : [];
}

/** What makes a document invalid, with paths. */
function problemsOf(document, compiler) {
  return outcomesOf(document).flatMap(({ attribute_name, attribute_value }, index) => {
    const problems = [];
    if (typeof attribute_name !== 'string' || attribute_name === '') {
      problems.push({ path: `outcomes.${index}.attribute_name`, message: 'is required' });
    }
    const message = faultOf(() => compiler.template(String(attribute_value ?? '')));
    if (message !== undefined) problems.push({ path: `outcomes.${index}.attribute_value`, message });
    return problems;
  });
}

function faultOf(compile) {
  try {
    compile();
    return undefined;
  } catch (error) {
    if (error instanceof RuleCompileError) return error.message;
    throw error;
  }
}
