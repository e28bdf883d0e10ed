import { memberText, ownMember, referenceValue, scalarText } from '../../../kit/document/members.ts';
import { isActiveTemplate } from '../../../kit/document/template-state.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { isAnsibleVariable, mayBecomeAnsibleVariable, saysWhere } from '../../../kit/names/ansible-names.ts';
import type { JsonObject, JsonValue } from '../../../ports/json.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import { RuleCompileError, type RuleTemplate } from '../../../ports/rule-type.ts';
import type { TextCompiler } from './compiler.ts';
import { isTemplate } from './conditions.ts';
import type { HostState } from './host-state.ts';
import { FailureCounter, type RuleFailure } from './rule-failures.ts';
import { macroActs } from './secret-macros.ts';

/** A value, or a text that is rendered for each host. */
export interface TemplateLabel {
  readonly key: string;
  readonly value: JsonValue;
  readonly template: RuleTemplate | undefined;
}

export interface CmdbTemplate {
  readonly id: string;
  readonly name: string;
  readonly labels: readonly TemplateLabel[];
  readonly failures: FailureCounter;
  /** True when an administrator wrote or confirmed it and one of its labels may be a variable of Ansible's own. */
  readonly vouches: boolean;
}

/**
 * Compiles the labels of one template; `vouches` is false if it shows fields of unconfirmed accounts, and its labels are data
 * then.
 */
export interface LabelCompiler {
  readonly texts: TextCompiler;
  readonly vouches: boolean;
}

/**
 * Templates by what selects them. A host looks up its own labels, so the number of templates does not matter.
 *
 * If a host has several templates, those that it names come first, in its order, then those that match one of its labels, by
 * name: later templates do not fill what earlier ones set.
 */
export class CmdbTemplates {
  /** Names of those whose labels say how Ansible connects, and that no administrator confirmed. */
  readonly pending: string[] = [];
  #volatile = false;
  readonly #byReference = new Map<string, CmdbTemplate>();
  readonly #byLabel = new Map<string, Map<string, CmdbTemplate[]>>();

  /** Labels of `unconfirmed` documents count as data. */
  constructor(
    documents: readonly RuleDocument[],
    unconfirmed: ReadonlySet<JsonObject>,
    compilerOf: (document: RuleDocument) => LabelCompiler,
  ) {
    for (const document of documents) this.#add(document, !unconfirmed.has(document), compilerOf(document));
    for (const values of this.#byLabel.values()) {
      for (const templates of values.values()) templates.sort((a, b) => (a.name < b.name ? -1 : 1));
    }
  }

  /** A label of one of them depends on the time. */
  get volatile(): boolean {
    return this.#volatile;
  }

  failures(): readonly RuleFailure[] {
    return [...new Set(this.#byReference.values())]
      .filter(({ failures }) => failures.errors > 0)
      .map(({ id, name, failures }) => ({ type: TYPE, id, name, ...failures.last }));
  }

  get isEmpty(): boolean {
    return this.#byReference.size === 0;
  }

  /** `members` gives the host's further members; it is asked only when there are templates. */
  of(labels: JsonObject, members: { readonly text: string; readonly value: JsonObject }): readonly CmdbTemplate[] {
    if (this.isEmpty) return [];
    const named = members.text.includes('"cmdb_templates"') ? this.#named(members.value) : [];
    const matching = this.#matching(labels);
    if (named.length === 0) return matching;
    return [...named, ...matching.filter((template) => !named.includes(template))];
  }

  #add(document: RuleDocument, confirmed: boolean, compiler: LabelCompiler): void {
    const name = memberText(document, 'hostname');
    const labels = ownMember(document, 'labels');
    if (name === '' || !isActiveTemplate(document)) return;
    const entries = isJsonObject(labels) ? Object.entries(labels) : [];
    const steers = entries.some(([label]) => isAnsibleVariable(label) && !saysWhere(label));
    if (!confirmed && (steers || macroActs(document).length > 0)) this.pending.push(name);
    const vouches = confirmed && compiler.vouches && entries.some(([label]) => mayBecomeAnsibleVariable(label));
    const failures = new FailureCounter();
    const id = referenceValue(ownMember(document, '_id'));
    const template = {
      id: id ?? '',
      name,
      labels: entries.map(([key, value]) => compileLabel(key, value, compiler.texts, failures)),
      failures,
      vouches,
    };
    this.#volatile ||= compiler.texts.volatile;
    this.#byReference.set(name, template);
    if (id !== undefined) this.#byReference.set(id, template);
    const match = readMatch(memberText(document, 'cmdb_match'));
    if (match === undefined) return;
    const values = this.#byLabel.get(match.key) ?? new Map<string, CmdbTemplate[]>();
    this.#byLabel.set(match.key, values);
    const templates = values.get(match.value);
    if (templates === undefined) values.set(match.value, [template]);
    else templates.push(template);
  }

  #named(members: JsonObject): readonly CmdbTemplate[] {
    const list = ownMember(members, 'cmdb_templates');
    const references = Array.isArray(list) ? list.map(referenceValue) : [referenceValue(list)];
    const found = references.flatMap((reference) => (reference && this.#byReference.get(reference)) || []);
    return [...new Set(found)];
  }

  #matching(labels: JsonObject): readonly CmdbTemplate[] {
    let found: CmdbTemplate[] | undefined;
    let isShared = true;
    for (const [key, values] of this.#byLabel) {
      if (!Object.hasOwn(labels, key)) continue;
      const text = scalarText(labels[key]);
      const templates = text === undefined ? undefined : values.get(text);
      if (templates === undefined) continue;
      if (found === undefined) found = templates;
      else {
        found = isShared ? [...found, ...templates] : found;
        if (!isShared) found.push(...templates);
        isShared = false;
      }
    }
    if (found === undefined) return NONE;
    return isShared ? found : found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

/** A text that does not compile stays as it is written: it may be no template at all. */
function compileLabel(key: string, value: JsonValue, texts: TextCompiler, failures: FailureCounter): TemplateLabel {
  if (typeof value !== 'string' || !isTemplate(value)) return { key, value, template: undefined };
  try {
    return { key, value, template: texts.lenient(value) };
  } catch (error) {
    if (!(error instanceof RuleCompileError)) throw error;
    failures.count(`label ${key}: ${error.message}`, '');
    return { key, value, template: undefined };
  }
}

/**
 * Returns the value of a label on this host: undefined names render as nothing, and the value is empty if its template fails
 * otherwise.
 */
export function labelValue({ value, template }: TemplateLabel, { failures }: CmdbTemplate, host: HostState): JsonValue {
  if (template === undefined) return value;
  if (template.constant !== undefined) return template.constant;
  const listener = host.failures;
  host.failures ??= failures;
  const text = template.render(host);
  host.failures = listener;
  return text ?? '';
}

const TYPE = 'cmdb_templates';
const NONE: readonly CmdbTemplate[] = [];

/** `key:value`; the first colon separates, so that values may hold more of them. */
function readMatch(text: string): { readonly key: string; readonly value: string } | undefined {
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  return { key: text.slice(0, colon).trim(), value: text.slice(colon + 1).trim() };
}
