import { memberProblems, membersSchema } from '../../../kit/document/member-table.ts';
import { memberObjects, memberText } from '../../../kit/document/members.ts';
import type { JsonObject } from '../../../ports/json.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import type { RuleMember, RuleMembers } from '../../../ports/rule-member.ts';
import {
  type RuleAction,
  RuleCompileError,
  type RuleCompiler,
  type RuleHost,
  type RuleType,
} from '../../../ports/rule-type.ts';
import { listRuleProblems } from '../../shared/rule-types/list-rules.ts';
import { macroRefusals } from '../../shared/rule-types/macro-scope.ts';
import { outcomeTemplateProblems } from '../../shared/rule-types/outcomes.ts';
import { projectMember, projectReferences } from '../../shared/rule-types/project.ts';
import { objectOutcome } from './decided.ts';
import { compileManyObjects } from './many-objects.ts';
import type { NetBoxRuleRow } from './table.ts';
import { commaTexts, decidedText, outcomeTemplate } from './texts.ts';

/** A rule type that says what hosts are to be in NetBox. */
export function netboxRuleType({ id, title, description, actions, list }: NetBoxRuleRow): RuleType {
  const members = membersOf(actions, list !== undefined);
  return {
    id,
    aliases: [],
    title,
    description,
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
      ...outcomeTemplateProblems(document, 'param', withoutBreaks(compiler)),
      ...listRuleProblems(document, 'NetBox'),
    ],
    references: projectReferences,
    refusals: macroRefusals,
    evaluation: {
      stage: 'target',
      target: 'netbox',
      compile(document, compiler) {
        const [problem] = listRuleProblems(document, 'NetBox');
        if (problem !== undefined) throw new RuleCompileError(`${problem.path} ${problem.message}`);
        const unknown = memberObjects(document, 'outcomes').find(
          (outcome) => !Object.hasOwn(actions, memberText(outcome, 'action')),
        );
        if (unknown !== undefined) throw new RuleCompileError(`there is no action ${memberText(unknown, 'action')}`);
        return list === undefined
          ? compileOneObject(document, compiler)
          : compileManyObjects(document, compiler, list.ignore);
      },
    },
  };
}

function membersOf(actions: NetBoxRuleRow['actions'], isList: boolean): RuleMembers {
  const meanings = Object.entries(actions).map(([action, meaning]) => `\`${action}\`: ${meaning}`);
  const listVariable: Readonly<Record<string, RuleMember>> = {
    list_variable_name: {
      kind: 'text',
      description:
        'An attribute with a list: there is an object for each of its elements, which `param` reads as `LIST_VAR`. Outcomes without one are the same for all of them.',
    },
  };
  return {
    project: projectMember,
    outcomes: {
      kind: 'list',
      description: 'Desired values of the host there, in order; later outcomes and later rules win.',
      items: {
        kind: 'object',
        description: 'One field.',
        members: {
          action: {
            kind: 'choice',
            required: true,
            choices: Object.keys(actions),
            description: `The field. ${meanings.join(' ')}`,
          },
          param: {
            kind: 'text',
            description: 'Its value: a template over all attributes. Nothing, or `None`, leaves the field as it is.',
          },
          ...(isList ? listVariable : {}),
        },
      },
    },
  };
}

/** Templates are compiled without their line breaks. */
function withoutBreaks(compiler: RuleCompiler): RuleCompiler {
  return { ...bound(compiler), template: (text) => compiler.template(text.replaceAll('\n', '')) };
}

function bound(compiler: RuleCompiler): RuleCompiler {
  return {
    template: (text) => compiler.template(text),
    pattern: (text) => compiler.pattern(text),
    list: (text) => compiler.list(text),
  };
}

/** The decisions about one object while they are collected. */
interface Deciding {
  readonly fields: Record<string, string | null>;
  readonly custom: Record<string, string | null>;
  readonly once: string[];
  ignored: boolean;
}

type Step = (host: RuleHost, deciding: Deciding) => void;

/** Words that mean that something is not so; so does a template that gives nothing, or fails. */
const NO = /^(?:false|no|none|null|0|)$/i;

/** Rules that say what one object is, outcome by outcome; later ones win. */
function compileOneObject(document: RuleDocument, compiler: RuleCompiler): RuleAction {
  const steps = memberObjects(document, 'outcomes').map((outcome) => compileStep(outcome, compiler));
  return (host) => {
    const deciding: Deciding = { fields: {}, custom: {}, once: [], ignored: false };
    for (const step of steps) step(host, deciding);
    const { fields, custom, once, ignored } = deciding;
    host.outcome(objectOutcome({ fields, customFields: custom, once, isIgnored: ignored }));
  };
}

function compileStep(outcome: JsonObject, compiler: RuleCompiler): Step {
  const action = memberText(outcome, 'action');
  if (action === 'update_optout') {
    const named = commaTexts(memberText(outcome, 'param'));
    return (_host, { once }) => void once.push(...named);
  }
  const template = outcomeTemplate(outcome, compiler);
  if (action === 'ignore_host' || action === 'ignore') {
    const isAlways = template.constant === '';
    return (host, deciding) => {
      if (isAlways || !NO.test(template.render(host) ?? '')) deciding.ignored = true;
    };
  }
  if (action === 'custom_field') {
    return (host, { custom }) => {
      const text = template.render(host) ?? '';
      const colon = text.indexOf(':');
      const name = text.slice(0, Math.max(colon, 0)).trim();
      if (name !== '') custom[name] = decidedText(text.slice(colon + 1));
    };
  }
  return (host, { fields }) => {
    fields[action] = decidedText(template.render(host) ?? '');
  };
}
