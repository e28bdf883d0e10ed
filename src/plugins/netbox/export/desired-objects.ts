import type { JsonObject, ObjectReference, WantedObject } from '../../../ports/index.ts';
import type { KindId } from './kinds.ts';
import { foldedName, within } from './names.ts';

/** Collects the objects that one host wants in NetBox. */
export class DesiredObjects {
  readonly #makesReferences: boolean;
  readonly #wanted = new Map<string, WantedObject>();

  constructor({ makesReferences }: { readonly makesReferences: boolean }) {
    this.#makesReferences = makesReferences;
  }

  /** If an object is wanted several times, the last one counts. */
  want(kind: KindId, object: Omit<WantedObject, 'kind'>): void {
    this.#wanted.set(`${kind} ${object.key}`, { kind, ...object });
  }

  has(kind: KindId, key: string): boolean {
    return this.#wanted.has(`${kind} ${key}`);
  }

  /** The key under which an address is wanted, in whichever VRF. */
  addressKey(host: string): string {
    for (const { kind, key } of this.#wanted.values()) {
      if (kind === 'ip' && (key === host || key.startsWith(`${host} `))) return key;
    }
    return host;
  }

  all(isExported: (kind: string) => boolean): readonly WantedObject[] {
    return [...this.#wanted.values()].filter(({ kind }) => isExported(kind));
  }

  /** Refers to an object with a name of its own; it is created if it is missing. */
  named(kind: KindId, name: string, more: JsonObject = {}, after: readonly ObjectReference[] = []): ObjectReference {
    return this.#reference(kind, foldedName(name), { name: name.trim(), ...more }, after);
  }

  manufacturer(name: string): ObjectReference {
    return this.named('manufacturer', name);
  }

  deviceType(manufacturer: string, model: string): ObjectReference {
    const made = this.manufacturer(manufacturer);
    const key = within(made.key, foldedName(model));
    return this.#reference('device_type', key, { model: model.trim(), manufacturer: made.key }, [made]);
  }

  platform(name: string, manufacturer: string | undefined): ObjectReference {
    const made = manufacturer === undefined ? undefined : this.manufacturer(manufacturer);
    return this.named(
      'platform',
      name,
      made === undefined ? {} : { manufacturer: made.key },
      made === undefined ? [] : [made],
    );
  }

  location(site: ObjectReference, name: string): ObjectReference {
    const key = within(site.key, foldedName(name));
    return this.#reference('location', key, { name: name.trim(), site: site.key }, [site]);
  }

  /** A rack that is made is in the location of the device that needs it: NetBox takes no device whose rack is elsewhere. */
  rack(site: ObjectReference, name: string, location: ObjectReference | undefined): ObjectReference {
    const key = within(site.key, foldedName(name));
    const place = location === undefined ? {} : { location: location.key };
    const after = location === undefined ? [site] : [site, location];
    return this.#reference('rack', key, { name: name.trim(), site: site.key, ...place }, after);
  }

  #reference(kind: KindId, key: string, fields: JsonObject, after: readonly ObjectReference[]): ObjectReference {
    if (this.#makesReferences && !this.has(kind, key)) this.want(kind, { key, fields, after });
    return { kind, key };
  }
}

/** The fields of one object, each written always or only when the object is made, and what it comes after. */
export class Fields {
  readonly #fields: Record<string, JsonObject[string]> = {};
  readonly #initial: Record<string, JsonObject[string]> = {};
  readonly #after: ObjectReference[] = [];

  set(name: string, value: JsonObject[string], { once = false }: { readonly once?: boolean } = {}): void {
    (once ? this.#initial : this.#fields)[name] = value;
  }

  refer(name: string, to: ObjectReference, { once = false }: { readonly once?: boolean } = {}): void {
    this.set(name, to.key, { once });
    this.#after.push(to);
  }

  comesAfter(...references: readonly ObjectReference[]): void {
    this.#after.push(...references);
  }

  object(key: string, rule: string): Omit<WantedObject, 'kind'> {
    return {
      key,
      fields: this.#fields,
      ...(Object.keys(this.#initial).length === 0 ? {} : { initial: this.#initial }),
      ...(this.#after.length === 0 ? {} : { after: this.#after }),
      rule,
    };
  }
}
