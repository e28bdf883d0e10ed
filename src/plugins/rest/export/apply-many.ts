import { counted } from '../../../kit/words/amounts.ts';
import {
  AppError,
  type Change,
  type ChangeOutcome,
  type HttpClient,
  type JsonValue,
  type RemoteWriting,
} from '../../../ports/index.ts';
import {
  type CompiledKinds,
  dataOf,
  doneWith,
  failure,
  failureOf,
  filledIn,
  type Going,
  goOn,
  inPart,
  isMeant,
  listOf,
  unknown,
} from './change-steps.ts';
import type { CompiledKind } from './compile-kind.ts';
import { elementsAt, type WriteStep } from './write-request.ts';

/** The requests of a change that go to the system for several at once. */
export type BulkStep = WriteStep & { readonly many: NonNullable<WriteStep['many']> };

export function isBulk(step: WriteStep): step is BulkStep {
  return step.many !== undefined;
}

/** Several changes by requests for all of them; the later ones are for what the earlier ones took. */
export async function applyMany(
  kind: CompiledKind,
  client: HttpClient,
  steps: readonly BulkStep[],
  { changes, kinds }: { readonly changes: readonly Change[]; readonly kinds: CompiledKinds },
  context: RemoteWriting,
): Promise<readonly ChangeOutcome[]> {
  const outcomes = new Map<Change, ChangeOutcome>();
  const going = new Map<Change, Going>();
  const end = (change: Change, outcome: ChangeOutcome): void => {
    outcomes.set(change, outcome);
    going.delete(change);
  };
  for (const change of changes) {
    const data = dataOf(kinds, kind, change, context);
    if ('code' in data) outcomes.set(change, data);
    else going.set(change, { change, values: data.values, id: change.id, etag: change.etag });
  }
  for (const step of steps) {
    const objects = new Map<Going, JsonValue>();
    for (const one of [...going.values()].filter(({ change }) => isMeant(step, change))) {
      const filled = filledIn(() => ({ object: step.many.each({ ...one.values, index: objects.size }) ?? null }));
      if ('code' in filled) end(one.change, inPart(filled, one.change, one.id));
      else objects.set(one, filled.object);
    }
    const sent = [...objects.keys()];
    const [first] = sent;
    if (first === undefined) continue;
    const request = filledIn(() => step.request({ objects: [...objects.values()] }, undefined));
    if ('code' in request) {
      for (const { change, id } of sent) end(change, inPart(request, change, id));
      continue;
    }
    try {
      const { value = null, ...head } = await client.json(request, context);
      for (const [index, answer] of answersOf(step.many, value, sent.length).entries()) {
        const one = sent[index];
        if (one === undefined) continue;
        if ('same' in answer) {
          const reason = `the system takes it and ${sent[answer.same]?.change.key} for one object`;
          end(one.change, inPart(failure('refused', reason), one.change, one.id));
          continue;
        }
        const fault = step.fault(answer.of, one.values);
        if (fault !== undefined) end(one.change, inPart(fault, one.change, one.id));
        else goOn(one, answer.of, head, step, kind);
      }
    } catch (error) {
      const fault = failureOf(error, first.change.action);
      if (fault === undefined) {
        if (outcomes.size === 0 || context.signal.aborted) throw error;
        for (const { change, id } of sent) end(change, inPart(unknown(error), change, id));
        continue;
      }
      for (const { change, id } of sent) {
        // One of them may be what is wrong: each is tried alone, unless it was made already.
        const isMade = change.id === undefined && id !== undefined;
        const code = sent.length > 1 && !isMade ? 'not_tried' : fault.code;
        end(change, inPart(failure(code, fault.reason), change, id));
      }
    }
    context.progress();
  }
  for (const { change, id, etag } of going.values()) outcomes.set(change, doneWith(id, etag));
  return changes.map((change) => outcomes.get(change) ?? failure('not_tried', 'it was not sent'));
}

/** The part of a bulk response about one change, or the index of the change that it was merged with. */
type OwnAnswer = { readonly of: JsonValue } | { readonly same: number };

/** Returns the response for each change sent, in their order. Throws if one has none, since its outcome is unknown. */
function answersOf({ answers: path, position }: BulkStep['many'], value: JsonValue, count: number): OwnAnswer[] {
  const answers = path === '' || path === '.' ? listOf(value) : elementsAt(value, path);
  const found = new Map<number, OwnAnswer>();
  for (const [place, answer] of answers.entries()) {
    const places = position === undefined ? [place] : elementsAt(answer, position).map(Number);
    const [first] = places;
    for (const index of places) found.set(index, index === first ? { of: answer } : { same: first ?? 0 });
  }
  const all = Array.from({ length: count }, (_, index) => found.get(index));
  if (found.size !== count || all.includes(undefined)) {
    throw new AppError('failed', `the answer to ${counted(count, 'change')} has ${found.size} of them`);
  }
  return all.filter((answer) => answer !== undefined);
}
