import { memberProblems, membersSchema } from '../../../kit/document/member-table.ts';
import { memberText, ownMember } from '../../../kit/document/members.ts';
import type { JsonObject } from '../../../ports/json.ts';
import type { RuleMembers } from '../../../ports/rule-member.ts';
import { type RuleAction, RuleCompileError, type RuleCompiler, type RuleType } from '../../../ports/rule-type.ts';
import { macroRefusals } from '../../shared/rule-types/macro-scope.ts';
import { compileEach, outcomeTemplateProblems } from '../../shared/rule-types/outcomes.ts';
import { projectMember } from '../../shared/rule-types/project.ts';
import { projectRules } from '../../shared/rule-types/project-rules.ts';

/** The type of accounts whose exports run these rules. */
const TARGET = 'rest_target';

const filterMembers: RuleMembers = { project: projectMember };

const restTargetFilter: RuleType = {
  ...projectRules,
  id: 'rest_target_filter',
  title: 'Filter of objects over HTTP',
  description: 'Keeps the hosts that it hits out of exports to accounts of type rest_target.',
  get schema() {
    return membersSchema(filterMembers);
  },
  check: (document) => memberProblems(document, filterMembers),
  evaluation: {
    stage: 'filter',
    target: TARGET,
    hostsOnly: true,
    compile: () => (host) => host.filter.ignoreHost(),
  },
};

const valueMembers: RuleMembers = {
  project: projectMember,
  outcomes: {
    kind: 'list',
    description: 'Values for every host that the rule hits, in order; later ones count.',
    items: {
      kind: 'object',
      description: 'One value.',
      members: {
        name: {
          kind: 'text',
          required: true,
          description: 'Its name in templates of the account; it takes precedence over a variable of that name.',
        },
        value: {
          kind: 'value',
          description:
            'The value, any JSON. A text is a template over all attributes; one that fails leaves the host out.',
        },
      },
    },
  },
};

const restTargetValues: RuleType = {
  ...projectRules,
  id: 'rest_target_values',
  title: 'Values of objects over HTTP',
  description:
    'Decides values that templates of accounts of type rest_target read, such as the class of a host or a field of an object.',
  get schema() {
    return membersSchema(valueMembers);
  },
  check: (document, compiler) => [
    ...memberProblems(document, valueMembers),
    ...outcomeTemplateProblems(document, 'value', compiler),
  ],
  refusals: macroRefusals,
  evaluation: {
    stage: 'target',
    target: TARGET,
    compile: (document, compiler) => compileEach(document, (outcome) => compileOutcome(outcome, compiler)),
  },
};

function compileOutcome(outcome: JsonObject, compiler: RuleCompiler): RuleAction {
  const name = memberText(outcome, 'name');
  if (name === '') throw new RuleCompileError('an outcome has no name');
  const value = ownMember(outcome, 'value') ?? '';
  if (typeof value !== 'string') return (host) => host.outcome({ [name]: value });
  const template = compiler.template(value);
  return (host) => {
    const text = template.render(host);
    // The target state of the object is then unknown: it stays unchanged, and the run names the host.
    if (text === undefined) throw new Error(`the value of ${name} could not be rendered`);
    host.outcome({ [name]: text });
  };
}

export const REST_TARGET_RULES: readonly RuleType[] = [restTargetFilter, restTargetValues];
