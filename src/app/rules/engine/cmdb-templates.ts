import type { JsonObject, JsonValue } from '../../../ports/json.ts';
import { isJsonObject } from '../../kernel/json/json-object.ts';
import { memberText, ownMember, referenceValue, scalarText } from '../document/members.ts';
import { isAnsibleVariable, mayBecomeAnsibleVariable, saysWhere } from './names/ansible-names.ts';

export interface CmdbTemplate {
  readonly name: string;
  readonly labels: readonly (readonly [string, JsonValue])[];
  /** True when an administrator wrote or confirmed it and one of its labels may be a variable of Ansible's own. */
  readonly vouches: boolean;
}

/**
 * Templates by what selects them. A host looks its own labels up, so that the number of templates does not count.
 *
 * Of several templates of one host, those that it names come first, in its order, then those that match one of its labels,
 * by name: what the first ones give is no gap for the later ones.
 */
export class CmdbTemplates {
  /** Names of those whose labels say how Ansible connects, and that no administrator confirmed. */
  readonly waiting: string[] = [];
  readonly #byReference = new Map<string, CmdbTemplate>();
  readonly #byLabel = new Map<string, Map<string, CmdbTemplate[]>>();

  /** Of `unconfirmed` ones, labels count as data. */
  constructor(documents: readonly JsonObject[], unconfirmed: ReadonlySet<JsonObject> = new Set()) {
    for (const document of documents) this.#add(document, !unconfirmed.has(document));
    for (const values of this.#byLabel.values()) {
      for (const templates of values.values()) templates.sort((a, b) => (a.name < b.name ? -1 : 1));
    }
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

  #add(document: JsonObject, confirmed: boolean): void {
    const name = memberText(document, 'hostname');
    const labels = ownMember(document, 'labels');
    if (name === '' || ownMember(document, 'enabled') === false) return;
    const entries = isJsonObject(labels) ? Object.entries(labels) : [];
    if (!confirmed && entries.some(([label]) => isAnsibleVariable(label) && !saysWhere(label))) this.waiting.push(name);
    const vouches = confirmed && entries.some(([label]) => mayBecomeAnsibleVariable(label));
    const template = { name, labels: entries, vouches };
    this.#byReference.set(name, template);
    const id = referenceValue(ownMember(document, '_id'));
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

const NONE: readonly CmdbTemplate[] = [];

/** `key:value`; the first colon separates, so that values may hold more of them. */
function readMatch(text: string): { readonly key: string; readonly value: string } | undefined {
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  return { key: text.slice(0, colon).trim(), value: text.slice(colon + 1).trim() };
}
