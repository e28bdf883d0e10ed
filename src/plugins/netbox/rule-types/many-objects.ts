import { memberObjects, memberText, scalarText } from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { JsonValue } from '../../../ports/json.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import type { RuleAction, RuleCompiler, RuleHost, RuleTemplate } from '../../../ports/rule-type.ts';
import { type DecidedValue, listOutcome } from './decided.ts';
import { commaTexts, decidedText, outcomeTemplate } from './texts.ts';

interface Step {
  readonly action: string;
  /** The attribute with a list, for each of whose elements there is an object; empty for a value that all have. */
  readonly list: string;
  readonly template: RuleTemplate;
}

type Entry = Record<string, DecidedValue>;

/** Rules that say what several objects are: one of each element of a list, or one when they name none. */
export function compileManyObjects(
  document: RuleDocument,
  compiler: RuleCompiler,
  ignore: string | undefined,
): RuleAction {
  const steps = memberObjects(document, 'outcomes').map(
    (outcome): Step => ({
      action: memberText(outcome, 'action'),
      list: memberText(outcome, 'list_variable_name').trim(),
      template: outcomeTemplate(outcome, compiler),
    }),
  );
  return (host) => {
    const entries: Entry[] = [];
    const common: Entry = {};
    const ignored: string[] = [];
    const take = (entry: Entry, { action, template }: Step, locals?: ReadonlyMap<string, JsonValue>): void => {
      const rendered = template.render(host, locals) ?? '';
      if (action === ignore) ignored.push(...commaTexts(rendered));
      else entry[action] = decidedValue(rendered, compiler);
    };
    for (const step of steps) {
      if (step.list === '') take(common, step);
      else {
        for (const [index, element] of elementsOf(host, step.list, compiler).entries()) {
          entries[index] ??= {};
          take(entries[index], step, new Map([['LIST_VAR', element]]));
        }
      }
    }
    const isListed = steps.some(({ list, action }) => list !== '' && action !== ignore);
    const all = isListed ? entries.map((entry) => ({ ...entry, ...common })) : [common];
    host.outcome(listOutcome(all, ignored));
  };
}

/** A text that is written as a list is one, without what is empty in it. */
function decidedValue(rendered: string, compiler: RuleCompiler): DecidedValue {
  const text = rendered.trim();
  const list = text.startsWith('[') && text.endsWith(']') ? compiler.list(text) : undefined;
  if (list === undefined) return decidedText(text);
  return list.flatMap((item) => decidedText(item === null ? '' : (scalarText(item) ?? '')) || []);
}

function elementsOf(host: RuleHost, name: string, compiler: RuleCompiler): readonly JsonValue[] {
  const value = host.attributes.get(name) ?? host.object(name);
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return value;
  if (isJsonObject(value)) return Object.values(value).flatMap((item) => item ?? []);
  const list = typeof value === 'string' ? compiler.list(value.replaceAll('\n', '')) : undefined;
  if (list === undefined) host.report(`the attribute ${name} is not a list`);
  return list ?? [];
}
