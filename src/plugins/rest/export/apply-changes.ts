import type { Change, ChangeAction, ChangeOutcome, HttpClient, RemoteWriting } from '../../../ports/index.ts';
import { applyMany, isBulk } from './apply-many.ts';
import {
  type CompiledKinds,
  dataOf,
  doneWith,
  type Failure,
  failure,
  failureOf,
  filledIn,
  type Going,
  goOn,
  inPart,
  isMeant,
  messageOf,
  unknown,
} from './change-steps.ts';
import type { CompiledKind } from './compile-kind.ts';
import type { WriteStep } from './write-request.ts';

/** Applies changes of one kind and one action, and returns an outcome for each. Throws if it is unknown what was done. */
export async function applyChanges(
  kinds: CompiledKinds,
  client: HttpClient,
  changes: readonly Change[],
  context: RemoteWriting,
): Promise<readonly ChangeOutcome[]> {
  const [first] = changes;
  const kind = kinds.get(first?.kind ?? '');
  if (first === undefined || kind === undefined) return [];
  const steps = kind.writes[first.action];
  if (steps.length === 0) {
    const reason = `nothing says how to ${VERBS[first.action]} ${kind.declared.id}: objects need ${first.action} for it`;
    return changes.map(() => failure('refused', reason));
  }
  const bulk = steps.filter(isBulk);
  const size = Math.min(...steps.map(({ many }) => many?.size ?? 1));
  const outcomes: ChangeOutcome[] = [];
  for (let start = 0; start < changes.length; start += size) {
    const some = changes.slice(start, start + size);
    const [only] = some;
    try {
      if (bulk.length > 0) outcomes.push(...(await applyMany(kind, client, bulk, { changes: some, kinds }, context)));
      else if (only !== undefined) outcomes.push(await applyOne(kind, client, steps, { change: only, kinds }, context));
    } catch (error) {
      if (some.length === changes.length || context.signal.aborted) throw error;
      // The caller retries the remaining changes one by one.
      return [...outcomes, ...some.map(() => unknown(error)), ...changes.slice(start + size).map(() => BROKEN_OFF)];
    }
    context.progress();
  }
  return outcomes;
}

const BROKEN_OFF: Failure = failure('not_tried', 'the call broke off');

const VERBS: Readonly<Record<ChangeAction, string>> = {
  create: 'make a',
  update: 'change a',
  move: 'rename a',
  adopt: 'take over a',
  delete: 'delete a',
};

/** One change by its requests, one after the other. */
async function applyOne(
  kind: CompiledKind,
  client: HttpClient,
  steps: readonly WriteStep[],
  { change, kinds }: { readonly change: Change; readonly kinds: CompiledKinds },
  context: RemoteWriting,
): Promise<ChangeOutcome> {
  const data = dataOf(kinds, kind, change, context);
  if ('code' in data) return data;
  const one: Going = { change, values: data.values, id: change.id, etag: change.etag };
  for (const step of steps) {
    if (!isMeant(step, change)) continue;
    const request = filledIn(() => step.request(one.values, one.etag));
    if ('code' in request) return inPart(request, change, one.id);
    try {
      const { value = null, ...head } = await client.json(request, context);
      const fault = step.fault(value, one.values);
      if (fault !== undefined) return inPart(fault, change, one.id);
      goOn(one, value, head, step, kind);
    } catch (error) {
      const known = failureOf(error, change.action);
      if (known !== undefined) return inPart(known, change, one.id);
      if (change.id !== undefined || one.id === undefined || context.signal.aborted) throw error;
      return inPart(failure('unknown', messageOf(error)), change, one.id);
    }
  }
  return doneWith(one.id, one.etag);
}
