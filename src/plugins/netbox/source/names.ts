import { compileHostnameTemplate, type HostnameTemplate } from '../../../kit/options/hostname-template.ts';
import { phrase } from '../../../kit/worded.ts';
import type { JsonObject, JsonValue } from '../../../ports/index.ts';
import type { ChassisMembers } from './virtual-chassis.ts';

export type Named = { readonly name: string } | { readonly reason: string };

export interface NameOptions {
  readonly unnamed_hostname: string;
  readonly duplicate_hostname: string;
}

/** Names hosts: as NetBox does, or by the templates of the account. */
export class HostNames {
  readonly #unnamed: HostnameTemplate | undefined;
  readonly #duplicate: HostnameTemplate | undefined;
  readonly #shared: ReadonlySet<string>;
  readonly #chassis: Pick<ChassisMembers, 'hostOf'>;

  /** `shared` are names that several devices or virtual machines have. */
  constructor(options: NameOptions, shared: ReadonlySet<string>, chassis: Pick<ChassisMembers, 'hostOf'>) {
    this.#unnamed = compileHostnameTemplate(options.unnamed_hostname, {}, 'unnamed_hostname');
    this.#duplicate = compileHostnameTemplate(options.duplicate_hostname, {}, 'duplicate_hostname');
    this.#shared = shared;
    this.#chassis = chassis;
  }

  of(object: JsonObject): Named {
    const name = nativeName(object);
    if (name === undefined) {
      return this.#unnamed === undefined
        ? { reason: phrase`has no name; unnamed_hostname of the account can give it one` }
        : rendered(this.#unnamed, object, 'unnamed_hostname');
    }
    if (this.#duplicate === undefined || !this.#shared.has(name)) return { name };
    return rendered(this.#duplicate, object, 'duplicate_hostname');
  }

  /** The name of the host that another object refers to; nothing where what it says of it does not tell which one that is. */
  ofReference(object: JsonObject): string | undefined {
    const name = nativeName(object);
    return name === undefined || this.#shared.has(name) ? undefined : name;
  }

  /** The name of the host that a device belongs to: its own, or that of the master that stands for its virtual chassis. */
  ofDevice(device: JsonObject): string | undefined {
    return this.ofReference(this.#chassis.hostOf(device));
  }
}

/** The name that an object has in NetBox. */
export function nativeName({ name }: JsonObject): string | undefined {
  return typeof name === 'string' && name.trim() !== '' ? name : undefined;
}

function rendered(template: HostnameTemplate, object: JsonObject, option: string): Named {
  try {
    const name = template({ get: (key) => present(object, key), attributes: () => presentMembers(object) });
    return name.trim() === '' ? { reason: `gets an empty name of ${option}` } : { name };
  } catch (error) {
    return { reason: `gets no name of ${option}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Returns a member unless it is empty: a name of `None` would be shared by many. */
function present(object: JsonObject, key: string): JsonValue | undefined {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return value === null || value === '' ? undefined : value;
}

function presentMembers(object: JsonObject): ReadonlyMap<string, JsonValue> {
  return new Map(
    Object.keys(object).flatMap((key): [string, JsonValue][] => {
      const value = present(object, key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}
