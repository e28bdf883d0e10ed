import {
  type ChangeAction,
  HttpError,
  type JsonObject,
  type JsonValue,
  type RemoteWriting,
} from '../../../ports/index.ts';
import { idOf } from '../api/members.ts';
import type { NetBoxApi } from '../api/open-api.ts';
import { type Failure, failure, refusalOf, refusalsOfEach } from './refusals.ts';

export interface ListWrite {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The action as people see it, which decides how a refusal is classified. */
  readonly action: ChangeAction;
}

/** The result for one object of a list: its id, or why it was refused. */
export type Written = { readonly id: number } | { readonly failure: Failure };

/**
 * Writes a list of objects and returns a result for each, in their order. NetBox accepts or refuses a list as a whole: refused
 * objects are removed and the others sent again; if it does not identify them, each half is sent separately. Throws if it is
 * unknown what was done.
 */
export async function writeList(
  api: NetBoxApi,
  write: ListWrite,
  bodies: readonly JsonObject[],
  context: RemoteWriting,
): Promise<readonly Written[]> {
  if (bodies.length === 0) return [];
  const { method, path, action } = write;
  const answer = await request(api, { method, path, json: bodies }, context);
  context.progress();
  if ('failure' in answer) return bodies.map(() => answer);
  const { status, value } = answer;
  if (status < 300) return bodies.map((body, position) => writtenAs(method, body, elementOf(value, position)));
  const said = refusalsOfEach(value, bodies.map(idOf));
  const refused = (position: number): Written => ({ failure: refusalOf(status, said?.[position] ?? value, action) });
  if (bodies.length === 1 || status === 429) return bodies.map((_, position) => refused(position));
  if (said === undefined || said.every((text) => text === undefined)) {
    const half = Math.ceil(bodies.length / 2);
    const first = await writeList(api, write, bodies.slice(0, half), context);
    return [...first, ...(await writeList(api, write, bodies.slice(half), context))];
  }
  const rest = bodies.filter((_, position) => said[position] === undefined);
  const others = (await writeList(api, write, rest, context)).values();
  return bodies.map((_, position) => (said[position] === undefined ? nextOf(others) : refused(position)));
}

/** Lists of what was made come in the order in which it was asked for, those of what was changed in one of NetBox's own. */
function writtenAs(method: ListWrite['method'], body: JsonObject, shown: JsonValue | undefined): Written {
  const id = idOf(method === 'POST' ? shown : body);
  return id === undefined ? { failure: failure('unknown', 'the answer does not say what was made') } : { id };
}

function elementOf(value: JsonValue | undefined, position: number): JsonValue | undefined {
  return Array.isArray(value) ? (value as readonly JsonValue[])[position] : undefined;
}

function nextOf(others: Iterator<Written>): Written {
  const { value, done } = others.next();
  return done === true ? { failure: failure('not_tried', 'it was not sent') } : value;
}

interface WriteRequest {
  readonly method: string;
  readonly path: string;
  readonly json: JsonValue;
}

type Answer = { readonly status: number; readonly value: JsonValue | undefined } | { readonly failure: Failure };

const REFUSALS = [400, 403, 404, 409, 429];

/** Sends one modifying call, once. Throws if it is unknown what was done. */
async function request(
  { http }: NetBoxApi,
  { method, path, json }: WriteRequest,
  context: RemoteWriting,
): Promise<Answer> {
  try {
    return await http.json({ method, path, json, accept: REFUSALS, repeatable: false }, context);
  } catch (error) {
    // A refusal without JSON, such as one of a server in front of NetBox.
    if (!(error instanceof HttpError) || error.status === undefined || !REFUSALS.includes(error.status)) throw error;
    return { failure: failure(error.status === 429 ? 'not_tried' : 'refused', error.message) };
  }
}
