import { conditionedBody } from '../../../../../kit/document/autorule-condition.ts';
import type { JsonObject } from '../../../../../ports/index.ts';
import { documentText, readDocument } from '../../forms/document.ts';
import { NEW_CONDITION } from './new-condition.ts';

/** The body of an autorule in the form: the rule to be made, and its condition. */
export interface AutoruleBody {
  /** An expression of templates, as `site == "MUC"`; empty: for every host. */
  readonly condition: string;
  /** Its texts are templates; `\{{ site }}` stays one in the rule that is made. */
  readonly document: JsonObject;
}

const TAG = /\{[{%](?:(?![{%]\{)[\s\S])*?[%}]\}/g;

/** Returns the body as a form, or `undefined` if it is more than a rule and a condition around it. */
export function readBody(text: string): AutoruleBody | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return { condition: '', document: {} };
  const { condition, inner } = conditionedBody(trimmed) ?? { condition: '', inner: trimmed };
  const document = readDocument(inner.replaceAll(/(?<!\\)\\u007b(?=[{%#])/gi, '\\\\{'));
  return typeof document === 'string' ? undefined : { condition, document };
}

/** Returns a text that `readBody` can read. Quotes within templates become single ones: double ones would end the text. */
export function bodyText({ condition, document }: AutoruleBody): string {
  const text = documentText(document)
    .replaceAll(TAG, (tag) => tag.replaceAll('\\"', "'"))
    .replaceAll(/\\\\\{(?=[{%#])/g, '\\u007b');
  return condition.trim() === '' ? text : `{% if ${condition.trim()} %}\n${text}\n{% endif %}`;
}

/** The things that get a rule each: hosts, or values of an attribute. */
export type MadeFor = { readonly kind: 'host' } | { readonly kind: 'value'; readonly attribute: string };

const PLAIN = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;
const PLACE = /\{\{\s*(?:([A-Za-z_][\w.]*)|attributes\['([^']+)'\])\s*\}\}/;

/** Returns the target given by the name; `undefined` for a name without one. */
export function madeFor(name: string): MadeFor | undefined {
  const [, plain, quoted] = PLACE.exec(name) ?? [];
  const attribute = plain ?? quoted;
  if (attribute === undefined) return undefined;
  return attribute === 'HOSTNAME' ? { kind: 'host' } : { kind: 'value', attribute };
}

/**
 * The body with another name, one rule for each of these; a value that a host does not have makes none. A rule that has no conditions yet, or
 * those of before, gets that of the hosts that it is made for.
 */
export function withMadeFor({ condition, document }: AutoruleBody, keyedBy: string, next: MadeFor): AutoruleBody {
  const name = typeof document[keyedBy] === 'string' ? document[keyedBy] : '';
  const before = madeFor(name);
  const own = before?.kind === 'value' ? expressionOf(before.attribute) : '';
  const kept = condition === own ? '' : condition;
  const expression = next.kind === 'host' ? 'HOSTNAME' : expressionOf(next.attribute);
  const place = `{{ ${expression} }}`;
  const named = PLACE.test(name) ? name.replace(PLACE, () => place) : `${name} ${place}`.trim();
  const { [keyedBy]: _, ...rest } = document;
  const { conditions } = document;
  const isOwn = isEmptyList(conditions) || sameJson(conditions, before === undefined ? [] : [conditionFor(before)]);
  return {
    condition: next.kind === 'value' && kept === '' ? expression : kept,
    document: { [keyedBy]: named, ...rest, ...(isOwn && { conditions: [conditionFor(next)] }) },
  };
}

/** Returns the condition that the hosts of a rule have in common. */
export function conditionFor(made: MadeFor): JsonObject {
  if (made.kind === 'host') {
    return { match_type: 'host', hostname: '{{ HOSTNAME }}', hostname_match: 'equal', hostname_match_negate: false };
  }
  return { ...NEW_CONDITION, tag: made.attribute, value: `{{ ${expressionOf(made.attribute)} }}` };
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function expressionOf(attribute: string): string {
  return PLAIN.test(attribute) ? attribute : `attributes['${attribute}']`;
}
