import {
  compileCondition,
  compileTemplate,
  type Template,
  type TemplateScope,
  TemplateSyntaxError,
} from '../../jinja/template.ts';
import { memberFlag, memberText } from '../../kit/document/members.ts';
import { dottedMembers } from '../../kit/json/dotted-members.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { JsonRefusal, parseJson } from '../../kit/json/parse-json.ts';
import type { HostRecord } from '../../ports/host.ts';
import type { JsonValue } from '../../ports/json.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import { type CompilerDeps, filtersOf } from '../rules/engine/compiler.ts';
import { compareEnvelopes, readEnvelope } from '../rules/engine/envelope.ts';
import { templateValue } from '../rules/engine/import-marks.ts';
import { namesOfObjects } from '../rules/engine/nested-labels.ts';

/** The result of one autorule for one host: a rule document, not yet checked, or the reason why there is none. */
export type GeneratedRule =
  | {
      readonly ok: true;
      readonly autorule: string;
      readonly hostname: string;
      readonly ruleType: string;
      readonly document: RuleDocument;
      /** Attributes of the host that are objects or lists and occur in the body as a whole, as text. */
      readonly wholes: readonly WholeValue[];
    }
  | { readonly ok: false; readonly autorule: string; readonly hostname: string; readonly error: string };

/** An attribute that a text contains with all its members, although usually one of them is meant. */
interface WholeValue {
  readonly attribute: string;
  /** Names of its members; none for a list. */
  readonly members: readonly string[];
}

export interface Autorules {
  /** Enabled autorules that do not compile. */
  readonly broken: readonly { readonly autorule: string; readonly error: string }[];
  /**
   * Yields the results of the autorules for this host, in order. `attributes` are those of `HostProgram.attributes`. A body that
   * is one condition as a whole (`{% if … %}…{% endif %}`) makes nothing, and no error, if that does not hold or reads an
   * attribute that the host does not have.
   */
  generate(record: HostRecord, attributes: ReadonlyMap<string, JsonValue>): Iterable<GeneratedRule>;
  /** Names of the autorules that are for objects of another kind than this one. */
  passedOver(record: HostRecord): readonly string[];
}

interface CompiledAutorule {
  readonly name: string;
  readonly ruleType: string;
  readonly objectType: string;
  readonly body: Template;
  /** Renders to nothing if the condition around the body does not hold; absent if there is none. */
  readonly condition: Template | undefined;
}

const ENVELOPE = { conditional: false, keyedBy: 'name' } as const;

/** Compiles the enabled autorules. Reads nothing and writes nothing: storing what they make is the caller's. */
export function compileAutorules(documents: readonly RuleDocument[], deps: CompilerDeps): Autorules {
  const rules: CompiledAutorule[] = [];
  const broken: { autorule: string; error: string }[] = [];
  const inOrder = documents
    .filter((document) => memberFlag(document, 'enabled'))
    .map((document) => ({ document, envelope: readEnvelope(document, ENVELOPE) }))
    .sort((a, b) => compareEnvelopes(a.envelope, b.envelope));
  for (const { document, envelope } of inOrder) {
    try {
      const options = { macros: deps.macro, now: deps.now, filters: filtersOf(deps.language) };
      const source = memberText(document, 'rule_body');
      rules.push({
        name: envelope.name,
        ruleType: memberText(document, 'rule_type'),
        objectType: memberText(document, 'object_filter').trim(),
        body: compileTemplate(source, options),
        condition: compileCondition(source, options),
      });
    } catch (error) {
      if (!(error instanceof TemplateSyntaxError)) throw error;
      broken.push({ autorule: envelope.name, error: `rule_body does not compile: ${error.message}` });
    }
  }
  return {
    broken,
    *generate(record, attributes) {
      for (const rule of rules) {
        if (!isFor(rule, record)) continue;
        const generated = generateRule(rule, record, attributes);
        if (generated !== undefined) yield generated;
      }
    },
    passedOver: (record) => rules.filter((rule) => !isFor(rule, record)).map(({ name }) => name),
  };
}

/** Without a filter, and with `host`, autorules are for hosts. */
function isFor({ objectType }: CompiledAutorule, record: HostRecord): boolean {
  if (record.archive !== null) return false;
  if (objectType === '' || objectType === 'host') return !record.isObject;
  return record.objectType === objectType;
}

function generateRule(
  { name, ruleType, body, condition }: CompiledAutorule,
  { hostname, labels }: HostRecord,
  attributes: ReadonlyMap<string, JsonValue>,
): GeneratedRule | undefined {
  const failed = (error: string): GeneratedRule => ({ ok: false, autorule: name, hostname, error });
  const objects = new Map<string, object>();
  const read = (variable: string): unknown => {
    if (variable === 'HOSTNAME') return hostname;
    const value = attributes.get(variable);
    if (value !== undefined) return templateValue(variable, value);
    return namesOfObjects(labels.value).has(variable) ? dottedMembers(attributes, variable) : undefined;
  };
  const scope: TemplateScope = {
    get(variable) {
      const value = read(variable);
      if (typeof value === 'object' && value !== null && isPlain(value)) objects.set(variable, value);
      return value;
    },
    attributes: () => attributes,
    nested: (variable) => dottedMembers(attributes, variable),
  };
  const held = condition?.render(scope);
  if (held?.ok === false && held.error.kind !== 'undefined') return failed(held.error.message);
  if (held !== undefined && held.text === '') return undefined;
  const rendered = body.render(scope);
  if (!rendered.ok) return failed(rendered.error.message);
  const document = parseObject(rendered.text);
  if (typeof document === 'string') return failed(`rule_body ${document}`);
  return { ok: true, autorule: name, hostname, ruleType, document, wholes: wholesIn(rendered.text, objects) };
}

function isPlain(value: object): boolean {
  return (
    Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null
  );
}

const PRINTED = compileTemplate('{{ value }}');

/** The objects whose text, as templates print it, occurs in the rendered text. */
function wholesIn(text: string, objects: ReadonlyMap<string, object>): readonly WholeValue[] {
  return [...objects].flatMap(([attribute, value]) => {
    const printed = PRINTED.render({
      get: () => value as JsonValue,
      attributes: () => new Map(),
    });
    if (!printed.ok || printed.text.length < 2 || !text.includes(printed.text)) return [];
    return [{ attribute, members: Array.isArray(value) ? [] : Object.keys(value) }];
  });
}

/** The document, or what is wrong. Never with a piece of the text, which may hold secrets. */
function parseObject(text: string): RuleDocument | string {
  const noObject = 'did not render to a JSON object';
  try {
    const value = parseJson(text) as JsonValue;
    return isJsonObject(value) ? value : noObject;
  } catch (error) {
    if (!(error instanceof JsonRefusal)) throw error;
    return error.isMalformed ? noObject : error.reason;
  }
}
