import { scalarText } from '../../../kit/document/members.ts';
import { setOwn } from '../../../kit/file-source/own-property.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { JsonObject, JsonValue, TargetOutcome } from '../../../ports/index.ts';

/** The object of a host, as decided by rules. */
export interface DecidedObject {
  /** Fields of the preset, which are compared with what i-doit has. */
  readonly fields: JsonObject;
  /** Entries of other categories: i-doit takes them as one thing and gives them back as another, so they are written once. */
  readonly categories: JsonObject;
  /** The last rule that decided something. */
  readonly rule: TargetOutcome['rule'];
}

interface KnownCategory {
  /** The field of the preset for each attribute. */
  readonly fields: Readonly<Record<string, string>>;
  /** Attributes that are written with these values anyway. */
  readonly always: Readonly<Record<string, string>>;
}

const KNOWN: Readonly<Record<string, KnownCategory>> = {
  C__CATG__GLOBAL: {
    fields: { purpose: 'purpose', cmdb_status: 'cmdb_status', description: 'description' },
    always: {},
  },
  C__CATG__MODEL: {
    fields: {
      manufacturer: 'manufacturer',
      title: 'model',
      serial: 'serial',
      service_tag: 'service_tag',
      firmware: 'firmware',
    },
    always: {},
  },
  C__CATG__IP: {
    fields: { ipv4_address: 'ipv4_address', hostname: 'hostname', domain: 'domain' },
    always: { net_type: '1', primary: '1', active: '1' },
  },
};

/**
 * Merges outcomes: later rules win, and for categories the later of those that name them. `undefined` if there must not be an
 * object.
 */
export function decidedObject(outcomes: readonly TargetOutcome[]): DecidedObject | undefined {
  const values = outcomes.map(({ value }) => (isJsonObject(value) ? value : {}));
  if (values.some(({ ignored }) => ignored === true)) return undefined;
  const { categories: _, ...said }: JsonObject = Object.assign({}, ...values);
  const named: JsonObject = Object.assign({}, ...values.map(({ categories }) => categories));
  const fields: Record<string, JsonValue> = {};
  const others: Record<string, JsonValue> = {};
  for (const [category, entries] of Object.entries(named)) {
    const known = fieldsOf(category, entries);
    if (known === undefined) setOwn(others, category, entries);
    else Object.assign(fields, known);
  }
  return { fields: { ...fields, ...said }, categories: others, rule: outcomes.at(-1)?.rule ?? NO_RULE };
}

const NO_RULE: TargetOutcome['rule'] = { id: '', name: '' };

/** Returns the fields for the single entry of a category; `undefined` if it has more than these. */
function fieldsOf(category: string, entries: JsonValue): JsonObject | undefined {
  const known = Object.hasOwn(KNOWN, category) ? KNOWN[category] : undefined;
  const [entry, ...further] = Array.isArray(entries) ? (entries as readonly JsonValue[]) : [entries];
  if (known === undefined || !isJsonObject(entry) || further.length > 0) return undefined;
  const fields: Record<string, JsonValue> = {};
  for (const [attribute, value] of Object.entries(entry)) {
    const text = scalarText(value);
    if (Object.hasOwn(known.fields, attribute)) {
      // Nothing leaves the attribute as it is.
      if (text !== undefined && text !== '') fields[known.fields[attribute] ?? attribute] = value;
      else if (text === undefined && value !== null) return undefined;
    } else if (text === undefined || known.always[attribute] !== text) return undefined;
  }
  return fields;
}
