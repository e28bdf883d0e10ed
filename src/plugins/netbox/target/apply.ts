import { isJsonObject } from '../../../app/kernel/json/json-object.ts';
import {
  type Change,
  type ChangeOutcome,
  HttpError,
  type JsonObject,
  type JsonValue,
  type RemoteWriting,
} from '../../../ports/index.ts';
import type { NetBoxApi } from '../api/open-api.ts';
import { isAtLeast } from '../api/version.ts';
import { type BodyContext, bodyOf, MissingReference } from './bodies.ts';
import { KIND_ENDPOINTS } from './endpoints.ts';
import { isKindId, type KindId } from './kinds.ts';
import { writeMacAddress } from './mac-addresses.ts';
import { type Failure, failure, refusalOf, refusalsOfEach } from './refusals.ts';

export interface Writing {
  readonly api: NetBoxApi;
  readonly bodies: BodyContext;
  /** What the changelog says. */
  readonly message: string;
}

/** A change and what is sent for it. */
interface Prepared {
  readonly index: number;
  readonly change: Change;
  readonly body: JsonObject;
}

/** Of these NetBox has one that everybody refers to, so that lists of them are made one by one where one fails. */
type Method = 'POST' | 'PATCH' | 'DELETE';

/** Does changes of one kind and one action by one call, and answers each. A call of which NetBox refuses some is sent again without them. */
export async function applyChanges(
  changes: readonly Change[],
  writing: Writing,
  context: RemoteWriting,
): Promise<readonly ChangeOutcome[]> {
  const [first] = changes;
  if (first === undefined || !isKindId(first.kind))
    return changes.map(() => failure('refused', 'is of no kind of NetBox'));
  const kind = first.kind;
  const outcomes: ChangeOutcome[] = changes.map(() => failure('not_tried', 'it was not sent'));
  const prepared = prepare(kind, changes, writing, outcomes);
  await send(kind, methodOf(kind, first), prepared, writing, context, outcomes);
  return outcomes;
}

/** Sides of objects are written to these, whatever is done to them. */
function methodOf(kind: KindId, { action, fields }: Change): Method {
  if (isSide(kind)) return 'PATCH';
  if (action === 'create') return 'POST';
  return action === 'delete' && Object.keys(fields).length === 0 ? 'DELETE' : 'PATCH';
}

function prepare(
  kind: KindId,
  changes: readonly Change[],
  { bodies, message, api }: Writing,
  outcomes: ChangeOutcome[],
): readonly Prepared[] {
  const note = isAtLeast(api.version, 4, 4) ? { changelog_message: message } : {};
  return changes.flatMap((change, index): readonly Prepared[] => {
    try {
      return [{ index, change, body: { ...bodyFor(kind, change, bodies), ...note } }];
    } catch (error) {
      if (!(error instanceof MissingReference)) throw error;
      outcomes[index] = failure('refused', error.message);
      return [];
    }
  });
}

function bodyFor(kind: KindId, change: Change, bodies: BodyContext): JsonObject {
  if (!isSide(kind)) {
    const body = bodyOf(kind, change, bodies);
    return change.action === 'create' ? body : { id: Number(change.id), ...body };
  }
  const of = kind === 'device_primary' ? 'device' : 'vm';
  const id = Number(change.id ?? bodies.idOf(of, change.key));
  if (!Number.isSafeInteger(id)) throw new MissingReference(`${of} ${change.key} is not there`);
  if (change.action === 'delete') return { id, primary_ip4: null, primary_ip6: null };
  return { id, ...bodyOf(kind, change, bodies) };
}

async function send(
  kind: KindId,
  method: Method,
  entries: readonly Prepared[],
  writing: Writing,
  context: RemoteWriting,
  outcomes: ChangeOutcome[],
): Promise<void> {
  if (entries.length === 0) return;
  const { path } = KIND_ENDPOINTS[kind];
  const json = entries.map(({ body }) => (method === 'DELETE' ? deletion(body) : body));
  const answer = await request(writing.api, { method, path, json }, context);
  if ('failure' in answer) {
    for (const { index } of entries) outcomes[index] = answer.failure;
    return;
  }
  const { status, value } = answer;
  if (status < 300) {
    await noteDone(kind, method, entries, value, writing, context, outcomes);
    return;
  }
  const [only] = entries;
  if (entries.length === 1 && only !== undefined) {
    const said = refusalsOfEach(value, [idIn(only)])?.[0];
    outcomes[only.index] = refusalOf(status, said ?? value, only.change.action);
    return;
  }
  const said = refusalsOfEach(value, entries.map(idIn));
  // What is not told of each is tried one by one.
  if (said === undefined || said.every((text) => text !== undefined) === said.every((text) => text === undefined)) {
    for (const { index } of entries) outcomes[index] = failure('not_tried', 'others of the same call were refused');
    return;
  }
  const rest: Prepared[] = [];
  for (const [position, entry] of entries.entries()) {
    const text = said[position];
    if (text === undefined) rest.push(entry);
    else outcomes[entry.index] = refusalOf(status, text, entry.change.action);
  }
  await send(kind, method, rest, writing, context, outcomes);
}

async function noteDone(
  kind: KindId,
  method: Method,
  entries: readonly Prepared[],
  value: JsonValue | undefined,
  writing: Writing,
  context: RemoteWriting,
  outcomes: ChangeOutcome[],
): Promise<void> {
  const made = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  for (const [position, { index, change, body }] of entries.entries()) {
    const record = made[position];
    const id = isJsonObject(record) && typeof record.id === 'number' ? record.id : idIn({ body });
    if (method === 'DELETE') outcomes[index] = { done: true };
    else if (id === undefined) outcomes[index] = failure('unknown', 'the answer does not say what was made');
    else outcomes[index] = await withMacAddress(kind, change, id, writing, context);
    context.progress();
  }
}

async function withMacAddress(
  kind: KindId,
  { fields }: Change,
  id: number,
  { api, message }: Writing,
  context: RemoteWriting,
): Promise<ChangeOutcome> {
  const { mac_address } = fields;
  const isPort = kind === 'interface' || kind === 'vm_interface';
  if (!isPort || typeof mac_address !== 'string' || !isAtLeast(api.version, 4, 2))
    return { done: true, id: String(id) };
  const refused = await writeMacAddress(api, { kind, id, address: mac_address, message }, context);
  // It is there all the same, and the next plan writes what is missing.
  return refused === undefined ? { done: true, id: String(id) } : { ...refused, id: String(id) };
}

function isSide(kind: KindId): boolean {
  return kind === 'device_primary' || kind === 'vm_primary';
}

function deletion({ id, changelog_message }: JsonObject): JsonObject {
  return { id: id ?? null, ...(changelog_message === undefined ? {} : { changelog_message }) };
}

function idIn({ body }: Pick<Prepared, 'body'>): number | undefined {
  return typeof body.id === 'number' ? body.id : undefined;
}

interface WriteRequest {
  readonly method: string;
  readonly path: string;
  readonly json: JsonValue;
}

type Answer = { readonly status: number; readonly value: JsonValue | undefined } | { readonly failure: Failure };

const REFUSALS = [400, 403, 404, 409, 429];

/** One call that changes something, sent once. Throws where nobody knows what was done. */
export async function request(
  { http }: NetBoxApi,
  { method, path, json }: WriteRequest,
  context: RemoteWriting,
): Promise<Answer> {
  try {
    return await http.json({ method, path, json, accept: REFUSALS, repeatable: false }, context);
  } catch (error) {
    // A refusal that is no JSON, such as one of a server in front of NetBox.
    if (!(error instanceof HttpError) || error.status === undefined || !REFUSALS.includes(error.status)) throw error;
    return { failure: failure(error.status === 429 ? 'not_tried' : 'refused', error.message) };
  }
}
