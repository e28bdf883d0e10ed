import { isLikelySecret, isSecretValue } from '../../kit/document/likely-secrets.ts';
import { memberText } from '../../kit/document/members.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import type { JsonObject, JsonValue } from '../../ports/json.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RulePreparation } from '../../ports/rule-type.ts';
import { isClearSecret, sealedName } from '../shared/rule-types/secrets.ts';

/** The secrets of documents of a type, going by the names of members; a type may declare further names. */
export class KeptSecrets {
  readonly #declared: ReadonlySet<string>;

  constructor(declared: readonly string[]) {
    this.#declared = new Set(declared);
  }

  /** Whether a document, or a part of one, contains a secret in clear text anywhere. */
  isClear(value: JsonValue): boolean {
    if (Array.isArray(value)) return value.some((item: JsonValue) => this.isClear(item));
    if (!isJsonObject(value)) return false;
    return Object.entries(value).some(([name, member]) => {
      if (isSealedName(name)) return false;
      return this.#isSecret(value, name) ? hasSecret(member) : this.isClear(member);
    });
  }

  /**
   * The document with each clear secret under `<member>_crypted` in the same place; the same object when there is none. What has
   * such a name is sealed already, here or by another installation.
   */
  async sealed(document: RuleDocument, seal: RulePreparation['seal']): Promise<RuleDocument> {
    return (this.isClear(document) ? await this.#sealedValue(document, '', seal) : document) as RuleDocument;
  }

  async #sealedValue(value: JsonValue, place: string, seal: RulePreparation['seal']): Promise<JsonValue> {
    if (Array.isArray(value)) {
      const items: JsonValue[] = [];
      for (const [index, item] of value.entries())
        items.push(await this.#sealedValue(item, joined(place, elementName(item, index)), seal));
      return items;
    }
    if (!isJsonObject(value)) return value;
    const clear = new Set(
      Object.entries(value)
        .filter(([name, member]) => this.#isSecret(value, name) && hasSecret(member))
        .map(([name]) => name),
    );
    const replaced = new Set([...clear].map(sealedName));
    const entries: [string, JsonValue][] = [];
    for (const [name, member] of Object.entries(value)) {
      if (replaced.has(name)) continue;
      if (clear.has(name))
        entries.push([sealedName(name), await sealedSecret(member, joined(place, sealedName(name)), seal)]);
      else
        entries.push([name, isSealedName(name) ? member : await this.#sealedValue(member, joined(place, name), seal)]);
    }
    return Object.fromEntries(entries);
  }

  #isSecret(object: JsonObject, name: string): boolean {
    if (isSealedName(name)) return false;
    const isOption = name === 'value' && isLikelySecret(memberText(object, 'name'));
    return isOption || isLikelySecret(name) || this.#declared.has(name);
  }
}

function isSealedName(name: string): boolean {
  return name.endsWith(sealedName(''));
}

/** Below a secret member everything is secret. */
function hasSecret(value: JsonValue): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasSecret);
  return isSecretValue(value) && isClearSecret(value);
}

async function sealedSecret(value: JsonValue, place: string, seal: RulePreparation['seal']): Promise<JsonValue> {
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const [index, item] of value.entries())
      items.push(await sealedSecret(item, joined(place, elementName(item, index)), seal));
    return items;
  }
  if (isJsonObject(value)) {
    const entries: [string, JsonValue][] = [];
    for (const [name, member] of Object.entries(value)) {
      entries.push([name, await sealedSecret(member, joined(place, name), seal)]);
    }
    return Object.fromEntries(entries);
  }
  return isSecretValue(value) && isClearSecret(value) ? seal(String(value), place) : value;
}

/** Elements of lists are known by their name, so that they may change places. */
function elementName(item: JsonValue, index: number): string {
  return (isJsonObject(item) ? memberText(item, 'name') : '') || String(index);
}

function joined(place: string, name: string): string {
  return place === '' ? name : `${place}.${name}`;
}
