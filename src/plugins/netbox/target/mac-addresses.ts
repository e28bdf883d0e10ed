import { isJsonObject } from '../../../app/kernel/json/json-object.ts';
import type { JsonObject, JsonValue, RemoteWriting } from '../../../ports/index.ts';
import { MAC_ADDRESSES } from '../api/endpoints.ts';
import { idOf } from '../api/members.ts';
import type { NetBoxApi } from '../api/open-api.ts';
import { request } from './apply.ts';
import { KIND_ENDPOINTS } from './endpoints.ts';
import { type Failure, failure, refusalOf } from './refusals.ts';

interface MacAddress {
  readonly kind: 'interface' | 'vm_interface';
  /** Of the interface. */
  readonly id: number;
  readonly address: string;
  readonly message: string;
}

/** Gives an interface its address, which is an object of its own since NetBox 4.2. `undefined` when that was done. */
export async function writeMacAddress(
  api: NetBoxApi,
  { kind, id, address, message }: MacAddress,
  context: RemoteWriting,
): Promise<Failure | undefined> {
  const object = { assigned_object_type: KIND_ENDPOINTS[kind].model, assigned_object_id: id };
  const query = { mac_address: address, [kind === 'interface' ? 'interface_id' : 'vminterface_id']: id, fields: 'id' };
  const { value } = await api.http.json({ path: MAC_ADDRESSES, query }, context);
  const known = idOf(firstOf(isJsonObject(value) ? value.results : undefined));
  const own = known ?? (await made({ mac_address: address, ...object }));
  if (typeof own !== 'number') return own;
  return refused({ method: 'PATCH', path: `${KIND_ENDPOINTS[kind].path}${id}/`, json: { primary_mac_address: own } });

  async function made(body: JsonObject): Promise<number | Failure> {
    const answer = await request(api, { method: 'POST', path: MAC_ADDRESSES, json: { ...body, ...note() } }, context);
    if ('failure' in answer) return answer.failure;
    if (answer.status >= 300) return refusalOf(answer.status, answer.value, 'create');
    return idOf(answer.value) ?? failure('unknown', 'the answer does not say which MAC address was made');
  }

  async function refused(asked: Parameters<typeof request>[1]): Promise<Failure | undefined> {
    const json = { ...(asked.json as JsonObject), ...note() };
    const answer = await request(api, { ...asked, json }, context);
    if ('failure' in answer) return answer.failure;
    return answer.status >= 300 ? refusalOf(answer.status, answer.value, 'update') : undefined;
  }

  function note(): JsonObject {
    return { changelog_message: message };
  }
}

function firstOf(value: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(value) ? (value as readonly JsonValue[])[0] : undefined;
}
