import type { HostRecord } from '../../../ports/host.ts';
import type { JsonValue } from '../../../ports/json.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import { dottedMembers } from '../../kernel/json/dotted-members.ts';
import { isJsonObject } from '../../kernel/json/json-object.ts';
import { JsonRefusal, parseJson } from '../../kernel/json/parse-json.ts';
import { compileTemplate, type Template, TemplateSyntaxError } from '../../templating/template.ts';
import { memberFlag, memberText } from '../document/members.ts';
import { type CompilerDeps, filtersOf } from './compiler.ts';
import { compareEnvelopes, readEnvelope } from './envelope.ts';
import { templateValue } from './import-marks.ts';
import { namesOfObjects } from './nested-labels.ts';

/** What one autorule made of one host: a rule document, not yet checked, or the reason why there is none. */
export type GeneratedRule =
  | {
      readonly ok: true;
      readonly autorule: string;
      readonly hostname: string;
      readonly ruleType: string;
      readonly document: RuleDocument;
    }
  | { readonly ok: false; readonly autorule: string; readonly hostname: string; readonly error: string };

export interface Autorules {
  /** Enabled autorules that do not compile. */
  readonly broken: readonly { readonly autorule: string; readonly error: string }[];
  /** What the autorules that are for this host make of it, in order. `attributes` are those of `HostProgram.attributes`. */
  generate(record: HostRecord, attributes: ReadonlyMap<string, JsonValue>): Iterable<GeneratedRule>;
  /** Names of the autorules that are for objects of another kind than this one. */
  passedOver(record: HostRecord): readonly string[];
}

interface CompiledAutorule {
  readonly name: string;
  readonly ruleType: string;
  readonly objectType: string;
  readonly body: Template;
}

/** A body that does not compile is told at each pass, and makes nothing. */
export const AUTORULES = 'syncer_rule_automation';

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
      rules.push({
        name: envelope.name,
        ruleType: memberText(document, 'rule_type'),
        objectType: memberText(document, 'object_filter').trim(),
        body: compileTemplate(memberText(document, 'rule_body'), {
          macros: deps.macro,
          now: deps.now,
          filters: filtersOf(deps.language),
        }),
      });
    } catch (error) {
      if (!(error instanceof TemplateSyntaxError)) throw error;
      broken.push({ autorule: envelope.name, error: `rule_body does not compile: ${error.message}` });
    }
  }
  return {
    broken,
    *generate(record, attributes) {
      for (const rule of rules) if (isFor(rule, record)) yield generateRule(rule, record, attributes);
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
  { name, ruleType, body }: CompiledAutorule,
  { hostname, labels }: HostRecord,
  attributes: ReadonlyMap<string, JsonValue>,
): GeneratedRule {
  const failed = (error: string): GeneratedRule => ({ ok: false, autorule: name, hostname, error });
  const rendered = body.render({
    get(variable) {
      if (variable === 'HOSTNAME') return hostname;
      const value = attributes.get(variable);
      if (value !== undefined) return templateValue(variable, value);
      return namesOfObjects(labels.value).has(variable) ? dottedMembers(attributes, variable) : undefined;
    },
    attributes: () => attributes,
    nested: (variable) => dottedMembers(attributes, variable),
  });
  if (!rendered.ok) return failed(rendered.error.message);
  const document = parseObject(rendered.text);
  if (typeof document === 'string') return failed(`rule_body ${document}`);
  return { ok: true, autorule: name, hostname, ruleType, document };
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
