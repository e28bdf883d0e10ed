import type { JsonObject, ObjectTargetType, RemoteObject, WantedObject } from '../../src/ports/index.ts';

export const REGISTRY = 'bench-registry';
const FIELDS = ['os', 'site', 'owner', 'rack', 'serial', 'app', 'env', 'patch'];

interface Evaluated {
  readonly hostname: string;
  readonly variables: { readonly value: JsonObject };
}

/** Eight fields of each host, as a registry of devices would have them. */
export function wantedDevice({ hostname, variables }: Evaluated): WantedObject {
  const names = Object.keys(variables.value).slice(0, FIELDS.length);
  const fields = Object.fromEntries(names.map((name, index) => [FIELDS[index] ?? '', variables.value[name] ?? null]));
  return { kind: 'device', key: hostname, fields };
}

/** A device of the hosts, as the registry would give it. */
export function registeredDevice(evaluated: Evaluated, id: number): RemoteObject {
  const { key, fields } = wantedDevice(evaluated);
  return { kind: 'device', key, id: `${id}`, fields, owner: 'us', etag: 'x' };
}

/** A registry that gives what is read there, and that a plan must not change. */
export function registryType(read: () => AsyncIterable<readonly RemoteObject[]>): ObjectTargetType {
  const fields = Object.fromEntries(FIELDS.map((name) => [name, {}]));
  return {
    id: REGISTRY,
    title: 'Registry',
    description: 'Has what a benchmark gives it.',
    options: { safeParse: () => ({ success: true, data: {} }) } as never,
    kinds: [{ id: 'device', title: 'Devices', fields }],
    open: () => ({
      read,
      wanted: (record) => [wantedDevice(record)],
      apply: () => Promise.reject(new Error('a plan changes nothing')),
    }),
  };
}
