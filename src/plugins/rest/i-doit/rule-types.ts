import { memberProblems, membersSchema } from '../../../kit/document/member-table.ts';
import { memberText } from '../../../kit/document/members.ts';
import type { JsonObject } from '../../../ports/json.ts';
import type { RuleMembers } from '../../../ports/rule-member.ts';
import { type RuleAction, RuleCompileError, type RuleCompiler, type RuleType } from '../../../ports/rule-type.ts';
import { rewriteType } from '../../shared/rewrites/rule-type.ts';
import { listRuleProblems } from '../../shared/rule-types/list-rules.ts';
import { macroRefusals } from '../../shared/rule-types/macro-scope.ts';
import { compileEach, outcomeTemplateProblems } from '../../shared/rule-types/outcomes.ts';
import { projectMember, projectReferences } from '../../shared/rule-types/project.ts';
import { compileCategories } from './categories.ts';

/** The type of accounts whose exports run these rules. */
const TARGET = 'i-doit';

const ACTIONS = {
  id_object_type: 'The constant of its type (`C__OBJTYPE__VIRTUAL_SERVER`); without one `C__OBJTYPE__SERVER`.',
  id_object_description: 'Its description.',
  id_category:
    "Entries of categories, as a Python dictionary: `{'C__CATG__MODEL': [{'serial': '{{ serial }}'}]}`. Of several rules the last one that names a category counts. One whose template fails is left out.",
  ignore_host: 'There is no object of the host; it needs no `param`.',
} as const;

const members: RuleMembers = {
  project: projectMember,
  outcomes: {
    kind: 'list',
    description: 'Desired values of the object of a host, in order; later outcomes and later rules win.',
    items: {
      kind: 'object',
      description: 'One part of it.',
      members: {
        action: {
          kind: 'choice',
          required: true,
          choices: Object.keys(ACTIONS),
          description: Object.entries(ACTIONS)
            .map(([action, meaning]) => `\`${action}\`: ${meaning}`)
            .join(' '),
        },
        param: { kind: 'text', description: 'Its value: a template over all attributes.' },
      },
    },
  },
};

const idoitRules: RuleType = {
  id: 'idoit_rules',
  aliases: [],
  title: 'i-doit: objects',
  description: 'Says what the objects of hosts are in i-doit. A host that no such rule hits is a server there.',
  keyedBy: 'name',
  uniqueNames: true,
  conditional: true,
  exportGroup: 'rules',
  secretMembers: [],
  get schema() {
    return membersSchema(members);
  },
  check: (document, compiler) => [
    ...memberProblems(document, members),
    ...outcomeTemplateProblems(document, 'param', compiler),
    ...listRuleProblems(document, 'i-doit'),
  ],
  references: projectReferences,
  refusals: macroRefusals,
  evaluation: {
    stage: 'target',
    target: TARGET,
    compile(document, compiler) {
      const [problem] = listRuleProblems(document, 'i-doit');
      if (problem !== undefined) throw new RuleCompileError(`${problem.path} ${problem.message}`);
      return compileEach(document, (outcome) => compileOutcome(outcome, compiler));
    },
  },
};

function compileOutcome(outcome: JsonObject, compiler: RuleCompiler): RuleAction {
  const action = memberText(outcome, 'action');
  const param = memberText(outcome, 'param');
  switch (action) {
    case 'ignore_host':
      return (host) => host.outcome({ ignored: true });
    case 'id_category': {
      const categoriesOf = compileCategories(param, compiler);
      return (host) => {
        const categories = categoriesOf(host);
        if (categories !== undefined) host.outcome({ categories });
      };
    }
    case 'id_object_type':
    case 'id_object_description': {
      const name = action === 'id_object_type' ? 'object_type' : 'description';
      const template = compiler.template(param);
      return (host) => {
        const text = template.render(host);
        if (text !== undefined && text !== '') host.outcome({ [name]: text });
      };
    }
    default:
      throw new RuleCompileError(`there is no action ${action}`);
  }
}

const idoitRewrites = rewriteType({
  id: 'idoit_rewrite',
  aliases: [],
  title: 'i-doit: rewritten attributes',
  description: 'Renames attributes and changes their values for exports to i-doit, before its other rules see them.',
  target: TARGET,
});

export const IDOIT_RULES: readonly RuleType[] = [idoitRules, idoitRewrites];
