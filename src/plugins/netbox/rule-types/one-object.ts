import { memberObjects, memberText } from '../../../kit/document/members.ts';
import type { JsonObject } from '../../../ports/json.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import type { RuleAction, RuleCompiler, RuleHost } from '../../../ports/rule-type.ts';
import { objectOutcome } from './decided.ts';
import { commaTexts, decidedText, outcomeTemplate } from './texts.ts';

/** What is being decided of one object. */
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
export function compileOneObject(document: RuleDocument, compiler: RuleCompiler): RuleAction {
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
