import { scalarsOf } from '../../../../kit/json/values-at.ts';
import { isWorthless, swappedUuid } from '../../../../kit/records/worthless-values.ts';
import { textOf } from '../../../../kit/worded.ts';
import type { HostRecord, JsonValue } from '../../../../ports/index.ts';
import { spellingDifference, spellingOf } from '../../../hosts/decisions/name-spelling.ts';
import { addressOf } from '../compare-values.ts';
import { anyConditionText } from '../conditions.ts';
import { foldedText } from '../folded-text.ts';
import { spelledAlike } from './spelling.ts';

export type DuplicateKind = 'spelling' | 'serial' | 'uuid' | 'address' | 'short_name';

/** Hosts that may be the same one. */
export interface Duplicate {
  readonly kind: DuplicateKind;
  /** The value that they share. */
  readonly value: string;
  readonly hosts: number;
  /** The first of them by name. */
  readonly sample: readonly string[];
  readonly where: string;
}

/** Names of labels as they are without case and signs. */
const SERIAL_LABELS: ReadonlySet<string> = new Set(['serial', 'serialnumber', 'serialno']);
const ADDRESS_LABELS: ReadonlySet<string> = new Set([
  'ip',
  'ipaddress',
  'ipaddr',
  'ipv4',
  'ipv6',
  'ipv4address',
  'ipv6address',
  'address',
  'primaryip',
  'primaryip4',
  'primaryip6',
  'managementip',
  'mgmtip',
]);

/** Addresses that any number of hosts have. */
const SHARED_RANGES: ReadonlySet<string> = new Set(['loopback', 'unspecified', 'linkLocal', 'broadcast', 'multicast']);
const SHORT_NAME = /^[a-z_][\w-]*$/;

/** More keys of a kind are not held in memory; what comes then is not compared. */
const MOST_KEYS = 300_000;
const SAMPLE = 5;
/** More texts of one value are not asked for in one query. */
const MOST_TEXTS = 40;

/** The place of a value, as a query names it. */
interface Place {
  readonly label: string;
  readonly text: string;
}

interface Group {
  hosts: number;
  /** Hosts come one after the other: by the last one is known whether a value is of the same host. */
  last: string;
  readonly sample: string[];
  readonly places: Map<string, Place>;
}

/** Most values are of one host, which costs a text or two; the second host makes a group of it. */
type Held = { readonly hostname: string; readonly place: Place } | Group;

/** Hosts with the same serial number, the same UUID, the same address or the same name up to the first dot. */
export class DuplicateFinder {
  readonly #held: Record<DuplicateKind, Map<string, Held>> = {
    spelling: new Map(),
    serial: new Map(),
    uuid: new Map(),
    address: new Map(),
    short_name: new Map(),
  };
  /** The purpose of a label, by its name. */
  readonly #uses = new Map<string, DuplicateKind | null>();
  readonly #worthless: readonly string[];
  #isCut = false;

  /** `worthless` are the operator's patterns of values that say nothing. */
  constructor(worthless: readonly string[] = []) {
    this.#worthless = worthless;
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  add({ hostname, labels }: Pick<HostRecord, 'hostname' | 'labels'>): void {
    const name = foldedText(hostname);
    const short = name.split('.', 1)[0] ?? name;
    this.#note('spelling', spellingOf(hostname), hostname, { label: '', text: hostname });
    if (SHORT_NAME.test(short)) this.#note('short_name', short, hostname, { label: '', text: short });
    for (const [label, value] of Object.entries(labels.value)) {
      const use = this.#useOf(label);
      if (use === null) continue;
      for (const scalar of scalarsOf(value as JsonValue)) {
        const text = String(scalar ?? '');
        const key = use === 'address' ? addressKey(text) : this.#textKey(use, text);
        if (key !== undefined) this.#note(use, key, hostname, { label, text: foldedText(text) });
      }
    }
  }

  /** Gives a UUID with swapped bytes the same key as the other one. */
  #textKey(use: DuplicateKind, text: string): string | undefined {
    if (isWorthless(use, text, this.#worthless)) return undefined;
    // Searches compare addresses as such: one in the label of a serial number would find others than these.
    if (addressOf(text) !== undefined) return undefined;
    if (use !== 'uuid') return spelledAlike(text);
    const digits = text.toLowerCase().replaceAll(/^urn:uuid:|[^\da-f]/g, '');
    const uuid = digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const swapped = swappedUuid(uuid);
    return uuid < swapped ? uuid : swapped;
  }

  /** Those of the most hosts first, then by what they share. */
  found(kind: DuplicateKind): readonly Duplicate[] {
    const found: Duplicate[] = [];
    for (const [value, held] of this.#held[kind]) {
      if (!('hosts' in held)) continue;
      if (kind === 'spelling') {
        const names = [...held.places.values()].map(({ text }) => text);
        const [one = '', other = ''] = names;
        const spelled = `${names.map((name) => JSON.stringify(name)).join(', ')}: ${textOf(spellingDifference(one, other))}`;
        const where = anyConditionText('own.name', [...new Set(names.map(foldedText))]);
        found.push({ kind, value: spelled, hosts: held.hosts, sample: held.sample, where });
        continue;
      }
      const where = kind === 'short_name' ? `own.name:(${value} OR ${value}.*)` : whereOf([...held.places.values()]);
      found.push({ kind, value, hosts: held.hosts, sample: held.sample, where });
    }
    return found.sort((a, b) => b.hosts - a.hosts || (a.value < b.value ? -1 : 1));
  }

  #useOf(label: string): DuplicateKind | null {
    const known = this.#uses.get(label);
    if (known !== undefined) return known;
    const plain = label.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
    const isUuid = /^(?:|bios|smbios|system|hardware|hw|product|machine|dmi|vm|instance)uuid$/.test(plain);
    const use = SERIAL_LABELS.has(plain) ? 'serial' : ADDRESS_LABELS.has(plain) ? 'address' : isUuid ? 'uuid' : null;
    // Names come from data.
    if (this.#uses.size < 10_000) this.#uses.set(label, use);
    return use;
  }

  #note(kind: DuplicateKind, key: string, hostname: string, place: Place): void {
    const held = this.#held[kind];
    const known = held.get(key);
    if (known === undefined) {
      if (held.size >= MOST_KEYS) this.#isCut = true;
      else held.set(key, { hostname, place });
      return;
    }
    if ('hosts' in known) {
      addPlace(known.places, place);
      if (known.last === hostname) return;
      known.last = hostname;
      known.hosts++;
      if (known.sample.length < SAMPLE) known.sample.push(hostname);
      return;
    }
    if (known.hostname === hostname) return;
    const group: Group = { hosts: 2, last: hostname, sample: [known.hostname, hostname], places: new Map() };
    for (const each of [known.place, place]) addPlace(group.places, each);
    held.set(key, group);
  }
}

function addPlace(places: Map<string, Place>, place: Place): void {
  if (places.size < MOST_TEXTS) places.set(`${place.label}\u0000${place.text}`, place);
}

function addressKey(text: string): string | undefined {
  const address = addressOf(text);
  return address === undefined || SHARED_RANGES.has(address.range()) ? undefined : address.toString();
}

/** Asks for the texts of each label. */
function whereOf(places: readonly Place[]): string {
  const texts = new Map<string, string[]>();
  for (const { label, text } of places) texts.set(label, [...(texts.get(label) ?? []), text]);
  return [...texts].map(([label, values]) => anyConditionText(`label.${label}`, values)).join(' OR ');
}
