import { scalarText } from '../../../kit/document/members.ts';
import { isAnsibleVariable, mayBecomeAnsibleVariable } from '../../../kit/names/ansible-names.ts';
import type { HostRecord } from '../../../ports/host.ts';
import type { JsonObject, JsonValue } from '../../../ports/json.ts';
import { type CmdbTemplates, labelValue } from './cmdb-templates.ts';
import type { HostState } from './host-state.ts';
import { setImportMarks } from './import-marks.ts';

/** The origin of an attribute before any rule ran. */
export type AttributeSource =
  | { readonly kind: 'account' }
  | { readonly kind: 'imports' }
  | { readonly kind: 'label'; readonly account?: string }
  | { readonly kind: 'inventory'; readonly section: string }
  | { readonly kind: 'template'; readonly template: string };

export interface AttributeInputs {
  readonly accountNames: ReadonlyMap<string, string>;
  readonly templates: CmdbTemplates;
  readonly inventoryNames: InventoryNames;
  /** Leaves labels out that would say how Ansible reaches a host and which programs it runs for that. */
  readonly dropAnsibleLabels: boolean;
  /** Attributes that collect the values of all templates; `undefined` for none. */
  readonly merged: ReadonlySet<string> | undefined;
  /** The marks to set: what the service knows of the host's imports. */
  readonly importMarks: ReadonlySet<string>;
}

/**
 * Sets the attributes that a host has before any rule, in the order of the rules page: later ones overwrite earlier ones,
 * templates only fill gaps. `state` belongs to this host: it renders the labels of templates, and its `vouched` gets what
 * confirmed templates set under names that may be Ansible's own. `mark` is called with the source of the attributes that follow.
 */
export function fillAttributes(
  attributes: Map<string, JsonValue>,
  record: HostRecord,
  inputs: AttributeInputs,
  state: HostState,
  mark?: (source: AttributeSource) => void,
): void {
  const account = record.accountId === null ? undefined : inputs.accountNames.get(record.accountId);
  mark?.({ kind: 'account' });
  if (account !== undefined) attributes.set('SOURCE_ACCOUNT', account);

  const labels: JsonObject = record.labels.value;
  state.labels = labels;
  mark?.({ kind: 'label' });
  if (inputs.dropAnsibleLabels) {
    for (const key in labels) if (!isAnsibleVariable(key)) attributes.set(key, labels[key]!);
  } else {
    for (const key in labels) attributes.set(key, labels[key]!);
  }

  const inventory = record.inventory.value;
  for (const section in inventory) {
    const members = inventory[section]!;
    const names = inputs.inventoryNames.of(section);
    mark?.({ kind: 'inventory', section });
    for (const key in members) attributes.set(names.of(key), members[key]!);
  }

  if (inputs.importMarks.size > 0) {
    mark?.({ kind: 'imports' });
    setImportMarks(attributes, record, account, inputs.importMarks);
  }

  for (const template of inputs.templates.of(labels, record.members)) {
    mark?.({ kind: 'template', template: template.name });
    for (const label of template.labels) {
      const { key } = label;
      const isGap = !attributes.has(key) && !state.hasObject(key);
      const merges = !isGap && inputs.merged?.has(key) === true;
      if (!isGap && !merges) continue;
      const given = labelValue(label, template, state);
      const value = merges ? mergedText(attributes.get(key), given) : given;
      attributes.set(key, value);
      // A merged value contains what the host itself says.
      if (template.vouches && isGap && mayBecomeAnsibleVariable(key)) state.vouched.push({ name: key, value });
    }
  }
}

/** Both sides may be several values with commas between them; each is there once, in the order in which they came. */
function mergedText(present: JsonValue | undefined, added: JsonValue): JsonValue {
  const texts = [present, added].flatMap((value) => (Array.isArray(value) ? value : [value]));
  const parts = texts.flatMap((value) => (value === null ? [] : (scalarText(value)?.split(',') ?? [])));
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))].join(',');
}

const MAX_NAMES = 10_000;

/**
 * Attribute names of inventory members, made once: the same few keys come with every host, and a map finds a text that
 * it has seen before faster than one that was just joined.
 */
export class InventoryNames {
  readonly #sections = new Map<string, SectionNames>();

  of(section: string): SectionNames {
    let names = this.#sections.get(section);
    if (names === undefined) {
      if (this.#sections.size >= MAX_NAMES) this.#sections.clear();
      names = new SectionNames(section);
      this.#sections.set(section, names);
    }
    return names;
  }
}

class SectionNames {
  readonly #section: string;
  readonly #names = new Map<string, string>();

  constructor(section: string) {
    this.#section = section;
  }

  of(key: string): string {
    let name = this.#names.get(key);
    if (name === undefined) {
      if (this.#names.size >= MAX_NAMES) this.#names.clear();
      name = `${this.#section}__${key}`;
      this.#names.set(key, name);
    }
    return name;
  }
}
