import { memberProblems, membersSchema } from '../../../kit/document/member-table.ts';
import { memberObjects, memberText } from '../../../kit/document/members.ts';
import type { JsonObject } from '../../../ports/json.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import type { RuleMembers } from '../../../ports/rule-member.ts';
import {
  type RuleAction,
  RuleCompileError,
  type RuleCompiler,
  type RuleProblem,
  type RuleType,
} from '../../../ports/rule-type.ts';
import { rewriteType } from '../../shared/rewrites/rule-type.ts';
import { listRuleProblems } from '../../shared/rule-types/list-rules.ts';
import { macroRefusals } from '../../shared/rule-types/macro-scope.ts';
import { compileEach, outcomeTemplateProblems } from '../../shared/rule-types/outcomes.ts';
import { projectMember } from '../../shared/rule-types/project.ts';
import { projectRules } from '../../shared/rule-types/project-rules.ts';

/** The type of accounts whose exports run these rules. */
const TARGET = 'jira_cloud';
const SYSTEM = 'Jira';

const exportMembers: RuleMembers = {
  project: projectMember,
  outcomes: {
    kind: 'list',
    description: 'Attributes of the objects of a host, in order; later outcomes and later rules win.',
    items: {
      kind: 'object',
      description: 'One attribute of one object type.',
      members: {
        target: {
          kind: 'text',
          required: true,
          description:
            'Number of the object type and name of the attribute: `17|Serial Number`. One without a number and a name makes nothing.',
        },
        value: {
          kind: 'text',
          description:
            'Its value: a template over all attributes. One that comes out empty, or as `None`, leaves the attribute as it is.',
        },
      },
    },
  },
};

const jiraExport: RuleType = {
  ...projectRules,
  id: 'jira_export',
  title: 'Jira: exported attributes',
  description:
    'Says which objects a host has in Jira Assets, and what their attributes are. A host that no such rule hits has none there.',
  get schema() {
    return membersSchema(exportMembers);
  },
  check: (document, compiler) => [
    ...memberProblems(document, exportMembers),
    ...outcomeTemplateProblems(document, 'value', compiler),
    ...listRuleProblems(document, SYSTEM),
  ],
  refusals: macroRefusals,
  evaluation: {
    stage: 'target',
    target: TARGET,
    compile(document, compiler) {
      const [problem] = listRuleProblems(document, SYSTEM);
      if (problem !== undefined) throw new RuleCompileError(`${problem.path} ${problem.message}`);
      return compileEach(document, (outcome) => compileExport(outcome, compiler));
    },
  },
};

function compileExport(outcome: JsonObject, compiler: RuleCompiler): RuleAction {
  const [, type, attribute] = /^\s*(\d+)\s*\|\s*(.*\S)\s*$/s.exec(memberText(outcome, 'target')) ?? [];
  if (type === undefined || attribute === undefined) return () => undefined;
  const value = compiler.template(memberText(outcome, 'value'));
  return (host) => {
    const text = value.render(host)?.trim() ?? '';
    if (text !== '' && text !== 'None') host.outcome({ type, attribute, value: text });
  };
}

const IGNORE = 'ignore_hosts';

const filterMembers: RuleMembers = {
  project: projectMember,
  outcomes: {
    kind: 'list',
    description: 'Outcomes for hosts that the rule hits; none changes nothing.',
    items: {
      kind: 'object',
      description: 'One outcome.',
      members: {
        action: {
          kind: 'choice',
          required: true,
          choices: [IGNORE, 'whitelist_attribute', 'whitelist_attribute_value'],
          description: `\`${IGNORE}\` keeps the host out of Jira. The other two are known from other filters and cannot be used here.`,
        },
        attribute_name: { kind: 'text', description: 'Not used.' },
      },
    },
  },
};

/** Rules name every attribute that is written: there is nothing to choose from. */
function filterProblems(document: RuleDocument): readonly RuleProblem[] {
  return memberObjects(document, 'outcomes').flatMap((outcome, index) =>
    memberText(outcome, 'action').startsWith('whitelist_')
      ? [
          {
            path: `outcomes.${index}.action`,
            message: `filters of ${SYSTEM} know ${IGNORE} alone: attributes go there where a rule of type jira_export names them`,
            inText: true,
          },
        ]
      : [],
  );
}

const jiraFilter: RuleType = {
  ...projectRules,
  id: 'jira_filter',
  title: 'Jira: filters',
  description: 'Keeps hosts out of exports to Jira.',
  get schema() {
    return membersSchema(filterMembers);
  },
  check: (document) => [...memberProblems(document, filterMembers), ...filterProblems(document)],
  evaluation: {
    stage: 'filter',
    target: TARGET,
    hostsOnly: true,
    compile(document) {
      const [problem] = filterProblems(document);
      if (problem !== undefined) throw new RuleCompileError(`${problem.path} ${problem.message}`);
      return compileEach(document, () => (host) => host.filter.ignoreHost());
    },
  },
};

const jiraRewrites = rewriteType({
  id: 'jira_rewrite',
  aliases: [],
  title: 'Jira: rewritten attributes',
  description: 'Renames attributes and changes their values for exports to Jira, before its other rules see them.',
  target: TARGET,
});

export const JIRA_RULES: readonly RuleType[] = [jiraExport, jiraFilter, jiraRewrites];
