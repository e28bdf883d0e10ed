import {
  type Change,
  type ChangeOutcome,
  HttpError,
  type JsonObject,
  type RemoteWriting,
} from '../../../ports/index.ts';
import type { NetBoxApi } from '../api/open-api.ts';
import { isAtLeast } from '../api/open-api.ts';
import { type BodyContext, bodyOf, MissingReference } from './bodies.ts';
import { isKindId, KIND_ENDPOINTS, type KindId } from './kinds.ts';
import { writeMacAddresses } from './mac-addresses.ts';
import { readAddress } from './names.ts';
import { failure } from './refusals.ts';
import { type ListWrite, type Written, writeList } from './write-list.ts';

export interface Writing {
  readonly api: NetBoxApi;
  readonly bodies: BodyContext;
  /** The message for the changelog. */
  readonly message: string;
  /** Shared by all changes of a run. */
  readonly leaving: LeavingAddresses;
}

/** A change, what is sent for it, and what happened to it. */
interface Sent {
  readonly change: Change;
  readonly body: JsonObject;
  outcome: ChangeOutcome;
}

/** Does changes of one kind and one action, and answers each. */
export async function applyChanges(
  changes: readonly Change[],
  writing: Writing,
  context: RemoteWriting,
): Promise<readonly ChangeOutcome[]> {
  const [first] = changes;
  if (first === undefined || !isKindId(first.kind))
    return changes.map(() => failure('refused', 'is of a kind that NetBox does not have'));
  const { kind, action } = first;
  const write = { method: methodOf(kind, first), path: KIND_ENDPOINTS[kind].path, action } satisfies ListWrite;
  const note = isAtLeast(writing.api.version, 4, 4) ? { changelog_message: writing.message } : {};
  const all = changes.map((change) => prepared(kind, change, writing.bodies));
  const waiting = all.filter(({ outcome }) => isWaiting(outcome));
  await send(write, waiting, note, writing.api, context);
  if (kind === 'interface' || kind === 'vm_interface') await setMacAddresses(kind, waiting, note, writing, context);
  if (kind === 'ip') noteLeaving(waiting, writing);
  if (isSide(kind)) await giveUpLeaving(write, waiting, note, writing, context);
  return all.map(({ outcome }) => outcome);
}

/** Sides of objects are written to these, whatever is done to them. */
function methodOf(kind: KindId, { action, fields }: Change): ListWrite['method'] {
  if (isSide(kind)) return 'PATCH';
  if (action === 'create') return 'POST';
  return action === 'delete' && Object.keys(fields).length === 0 ? 'DELETE' : 'PATCH';
}

const WAITING: ChangeOutcome = failure('not_tried', 'it was not sent');

function isWaiting(outcome: ChangeOutcome): boolean {
  return outcome === WAITING;
}

function prepared(kind: KindId, change: Change, bodies: BodyContext): Sent {
  try {
    return { change, body: bodyFor(kind, change, bodies), outcome: WAITING };
  } catch (error) {
    if (!(error instanceof MissingReference)) throw error;
    return { change, body: {}, outcome: failure('refused', error.message) };
  }
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
  write: ListWrite,
  all: readonly Sent[],
  note: JsonObject,
  api: NetBoxApi,
  context: RemoteWriting,
): Promise<void> {
  const bodies = all.map(({ body }) => body);
  // A change has nothing to send here if all its fields are written by other calls.
  const isSent = (body: JsonObject): boolean => write.method !== 'PATCH' || Object.keys(body).length > 1;
  const sent = all.filter(({ body }) => isSent(body));
  const written = await writeList(
    api,
    write,
    bodies
      .filter(isSent)
      .map((body) => (write.method === 'DELETE' ? { id: body.id ?? null, ...note } : { ...body, ...note })),
    context,
  );
  for (const [index, one] of sent.entries()) one.outcome = outcomeOf(write, written[index]);
  for (const one of all) if (isWaiting(one.outcome)) one.outcome = { done: true, id: String(one.body.id) };
}

function outcomeOf({ method }: ListWrite, written: Written | undefined): ChangeOutcome {
  if (written === undefined) return failure('not_tried', 'it was not sent');
  if ('failure' in written) return written.failure;
  return method === 'DELETE' ? { done: true } : { done: true, id: String(written.id) };
}

/**
 * Sets MAC addresses after the interfaces were written. A failure does not undo those, and the next plan writes what is missing.
 */
async function setMacAddresses(
  kind: 'interface' | 'vm_interface',
  all: readonly Sent[],
  note: JsonObject,
  { api }: Writing,
  context: RemoteWriting,
): Promise<void> {
  if (!isAtLeast(api.version, 4, 2)) return;
  const ports = all.flatMap((one) => {
    const { mac_address: address } = one.change.fields;
    const { outcome } = one;
    return typeof address === 'string' && outcome.done && outcome.id !== undefined
      ? [{ one, id: outcome.id, port: { id: Number(outcome.id), address } }]
      : [];
  });
  const action = ports[0]?.one.change.action;
  if (action === undefined) return;
  try {
    const failures = await writeMacAddresses(
      api,
      { kind, action, note },
      ports.map(({ port }) => port),
      context,
    );
    for (const [index, { one, id }] of ports.entries()) {
      const failed = failures[index];
      // Nothing is tried again of an interface that was made.
      if (failed !== undefined)
        one.outcome = { ...failed, code: failed.code === 'not_tried' ? 'refused' : failed.code, id };
    }
  } catch (error) {
    if (context.signal.aborted || !(error instanceof HttpError)) throw error;
    for (const { one, id } of ports) one.outcome = { ...failure('unknown', error.message), id };
  }
}

function noteLeaving(all: readonly Sent[], { leaving }: Writing): void {
  for (const { change, outcome } of all) if (isInTheWay(outcome)) leaving.add(change);
}

/** The change stays in the way until what it waits for has been done, and is tried again then. */
async function giveUpLeaving(
  write: ListWrite,
  all: readonly Sent[],
  note: JsonObject,
  { api, leaving }: Writing,
  context: RemoteWriting,
): Promise<void> {
  const bodies = all.flatMap(({ change, body, outcome }) => {
    const given = isInTheWay(outcome) ? leaving.givenUp(change) : undefined;
    return given === undefined ? [] : [{ id: body.id ?? null, ...given, ...note }];
  });
  await writeList(api, write, bodies, context);
}

function isInTheWay(outcome: ChangeOutcome): boolean {
  return !outcome.done && outcome.code === 'in_the_way';
}

function isSide(kind: KindId): boolean {
  return kind === 'device_primary' || kind === 'vm_primary';
}

const FIELDS = ['primary_ip4', 'primary_ip6'] as const;

/**
 * Addresses that move to other machines, and that NetBox keeps in place because they are primary addresses there. If machines
 * swap addresses, none can get its new one until another one has given it up.
 */
export class LeavingAddresses {
  readonly #leaving = new Set<string>();

  /** An address whose change NetBox refused because of that. */
  add({ current }: Change): void {
    const address = readAddress(String(current?.address ?? ''));
    if (address === undefined || typeof current?.assigned_to !== 'string') return;
    const [, port = ''] = /^(?:vm_)?interface (.*)$/s.exec(current.assigned_to) ?? [];
    // Names of machines and of interfaces may have slashes in them.
    for (let end = port.indexOf('/'); end > 0; end = port.indexOf('/', end + 1)) {
      this.#leaving.add(`${port.slice(0, end)} ${address.host}`);
    }
  }

  /** Returns the primary addresses that a machine has to give up first, in NetBox's format; `undefined` if none of them moves. */
  givenUp({ key, before = {}, fields }: Change): JsonObject | undefined {
    const names = FIELDS.filter(
      (name) => name in fields && typeof before[name] === 'string' && this.#leaving.has(`${key} ${before[name]}`),
    );
    return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, null]));
  }
}
