import { isJsonObject } from '../../../kit/json/json-object.ts';
import { ahead } from '../../../kit/records/heartbeat.ts';
import { saidBy } from '../../../kit/worded.ts';
import {
  HttpError,
  type JsonObject,
  type RemoteGap,
  type RemoteObject,
  type RemoteReading,
} from '../../../ports/index.ts';
import type { NetBoxApi } from '../api/open-api.ts';
import type { KindId } from './kinds.ts';
import { KIND_ENDPOINTS } from './kinds.ts';
import { type OwnerOf, remoteObjects } from './remote-objects.ts';

const PAGE = 500;
/** Read with what they are a side of. */
const SIDES: ReadonlySet<KindId> = new Set(['device_primary', 'vm_primary']);

/** Everything that NetBox has of some kinds. A kind that cannot be read as a whole is a gap. */
export async function* readKinds(
  api: NetBoxApi,
  kinds: readonly KindId[],
  ownerOf: OwnerOf,
  context: RemoteReading,
): AsyncGenerator<readonly (RemoteObject | RemoteGap)[], void, undefined> {
  const declared = new Set<string>(kinds);
  for (const kind of kinds) {
    if (SIDES.has(kind)) continue;
    const { path, fields } = KIND_ENDPOINTS[kind];
    try {
      // The next page is asked for while this one is compared.
      for await (const records of ahead(api.list({ path, query: { fields }, size: PAGE }, context))) {
        context.progress();
        const objects = records.flatMap((record) => remoteObjects(kind, record, ownerOf));
        yield objects.filter((object) => declared.has(object.kind));
      }
    } catch (error) {
      // Without an answer at all, or without a login, there is nothing to go on with.
      if (!(error instanceof HttpError) || error.status === undefined || error.status === 401) throw error;
      const lost = [kind, ...(kind === 'device' || kind === 'vm' ? [`${kind}_primary`] : [])];
      yield [{ gap: path, reason: saidBy(error), kinds: lost.filter((id) => declared.has(id)) }];
    }
  }
}

/** The types that interfaces of devices may have; `undefined` where NetBox does not say. */
export async function interfaceTypes(api: NetBoxApi, context: RemoteReading): Promise<ReadonlySet<string> | undefined> {
  const { path } = KIND_ENDPOINTS.interface;
  const { value } = await api.http.json({ method: 'OPTIONS', path, repeatable: true, accept: [403, 405] }, context);
  const actions = memberOf(value, 'actions');
  const post = memberOf(actions, 'POST') ?? memberOf(actions, 'PUT');
  const choices = memberOf(memberOf(post, 'type'), 'choices');
  if (!Array.isArray(choices)) return undefined;
  return new Set(choices.flatMap((one) => (isJsonObject(one) && typeof one.value === 'string' ? [one.value] : [])));
}

function memberOf(value: unknown, name: string): JsonObject[string] | undefined {
  const object = value as JsonObject[string] | undefined;
  return isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}
