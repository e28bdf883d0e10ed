import { isDeepStrictEqual } from 'node:util';
import { scalarText } from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { JsonObject, JsonValue } from '../../../ports/json.ts';

/** An inventory as consumers read it: the variables of each host. */
export type InventoryHosts = ReadonlyMap<string, JsonObject>;

/** The difference of a variable, or of a host without one. `type`: the same text, as a value of another type. */
export type Differing = 'changed' | 'type' | 'missing' | 'added';

export interface InventoryDifference {
  readonly hostname: string;
  /** Absent for a host that one of the inventories does not have. */
  readonly variable?: string;
  readonly how: Differing;
  readonly theirs?: JsonValue;
  readonly ours?: JsonValue;
}

/** The hosts of a script inventory; `undefined` if the value is not one. */
export function hostsOfInventory(document: unknown): InventoryHosts | undefined {
  const value = document as JsonValue;
  const meta = isJsonObject(value) ? value._meta : undefined;
  const hostvars = isJsonObject(meta) ? meta.hostvars : undefined;
  if (!isJsonObject(value) || !isJsonObject(hostvars)) return undefined;
  const all = isJsonObject(value.all) && Array.isArray(value.all.hosts) ? value.all.hosts : [];
  const hosts = new Map<string, JsonObject>();
  for (const name of all) if (typeof name === 'string') hosts.set(name, {});
  for (const [name, variables] of Object.entries(hostvars)) hosts.set(name, isJsonObject(variables) ? variables : {});
  return hosts;
}

/** Host by host in the order of the other inventory, variable by variable; hosts that only ours has come last. */
export function* differencesBetween(theirs: InventoryHosts, ours: InventoryHosts): Generator<InventoryDifference> {
  for (const [hostname, variables] of theirs) {
    const here = ours.get(hostname);
    if (here === undefined) yield { hostname, how: 'missing' };
    else yield* variableDifferences(hostname, variables, here);
  }
  for (const hostname of ours.keys()) if (!theirs.has(hostname)) yield { hostname, how: 'added' };
}

function* variableDifferences(hostname: string, theirs: JsonObject, ours: JsonObject): Generator<InventoryDifference> {
  for (const [variable, value] of Object.entries(theirs)) {
    if (!Object.hasOwn(ours, variable)) yield { hostname, variable, how: 'missing', theirs: value };
    else {
      const here = ours[variable] as JsonValue;
      if (value !== here && !isDeepStrictEqual(value, here)) {
        yield { hostname, variable, how: isSameText(value, here) ? 'type' : 'changed', theirs: value, ours: here };
      }
    }
  }
  for (const [variable, value] of Object.entries(ours)) {
    if (!Object.hasOwn(theirs, variable)) yield { hostname, variable, how: 'added', ours: value };
  }
}

/** `"True"` and `true`, `"80"` and `80`. */
function isSameText(theirs: JsonValue, ours: JsonValue): boolean {
  if (typeof theirs === typeof ours) return false;
  const text = scalarText(theirs);
  return text !== undefined && text.toLowerCase() === scalarText(ours)?.toLowerCase();
}
