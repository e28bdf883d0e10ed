import { type ChangeAction, HttpError, type JsonObject, type RemoteWriting } from '../../../ports/index.ts';
import { MAC_ADDRESSES } from '../api/endpoints.ts';
import type { NetBoxApi } from '../api/open-api.ts';
import { KIND_ENDPOINTS } from './kinds.ts';
import { type Failure, refusalOf } from './refusals.ts';
import { writeList } from './write-list.ts';

/** An interface that is there, and the MAC address that it is to have. */
export interface PortAddress {
  readonly id: number;
  readonly address: string;
}

export interface MacWriting {
  readonly kind: 'interface' | 'vm_interface';
  /** The action on the interfaces: newly created ones have no address yet. */
  readonly action: ChangeAction;
  /** Members of every object that is written. */
  readonly note: JsonObject;
}

/**
 * Sets the MAC addresses of interfaces, which are separate objects since NetBox 4.2: three calls for all of them. Returns
 * `undefined` for each that now has its address, otherwise the reason. Throws if it is unknown what was done.
 */
export async function writeMacAddresses(
  api: NetBoxApi,
  { kind, action, note }: MacWriting,
  ports: readonly PortAddress[],
  context: RemoteWriting,
): Promise<readonly (Failure | undefined)[]> {
  const known = action === 'create' ? new Map<string, number>() : await knownAddresses(api, kind, ports, context);
  if ('failure' in known) return ports.map(() => known.failure);
  const failures = new Map<PortAddress, Failure>();
  const missing = ports.filter((port) => !known.has(addressOf(port)));
  const made = await writeList(
    api,
    { method: 'POST', path: MAC_ADDRESSES, action: 'create' },
    missing.map(({ id, address }) => ({
      mac_address: address,
      assigned_object_type: KIND_ENDPOINTS[kind].model,
      assigned_object_id: id,
      ...note,
    })),
    context,
  );
  for (const [index, port] of missing.entries()) {
    const written = made[index];
    if (written === undefined) continue;
    if ('failure' in written) failures.set(port, written.failure);
    else known.set(addressOf(port), written.id);
  }
  const primary = ports.filter((port) => known.has(addressOf(port)));
  const set = await writeList(
    api,
    { method: 'PATCH', path: KIND_ENDPOINTS[kind].path, action: 'update' },
    primary.map((port) => ({ id: port.id, primary_mac_address: known.get(addressOf(port)) ?? null, ...note })),
    context,
  );
  for (const [index, port] of primary.entries()) {
    const written = set[index];
    if (written !== undefined && 'failure' in written) failures.set(port, written.failure);
  }
  return ports.map((port) => failures.get(port));
}

/** The ids of the addresses that interfaces have, by `addressOf`. */
async function knownAddresses(
  api: NetBoxApi,
  kind: MacWriting['kind'],
  ports: readonly PortAddress[],
  context: RemoteWriting,
): Promise<Map<string, number> | { readonly failure: Failure }> {
  const filter = kind === 'interface' ? 'interface_id' : 'vminterface_id';
  const query = { [filter]: ports.map(({ id }) => id), fields: 'id,mac_address,assigned_object_id' };
  const known = new Map<string, number>();
  try {
    for await (const page of api.list({ path: MAC_ADDRESSES, query, size: 1_000 }, context)) {
      for (const { id, mac_address, assigned_object_id } of page) {
        if (typeof id !== 'number' || typeof mac_address !== 'string') continue;
        known.set(addressOf({ id: Number(assigned_object_id), address: mac_address }), id);
      }
    }
    return known;
  } catch (error) {
    if (!(error instanceof HttpError) || error.status === undefined || error.status === 401) throw error;
    return { failure: refusalOf(error.status, error.message, 'update') };
  }
}

function addressOf({ id, address }: PortAddress): string {
  return `${id} ${address.toUpperCase()}`;
}
