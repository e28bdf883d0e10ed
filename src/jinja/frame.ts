import { budgetFault, fault } from './fault.ts';
import type { Run } from './run.ts';

/** The slots of one call of a macro, or of a recursive loop: from `start` to `end`. */
export interface Frame {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** Which calls were under way when a macro was made, outermost first. */
export type Activations = readonly (readonly [frame: number, activation: number | undefined])[];

const MAX_CALLS = 200;

/** Output of what runs in a frame of its own. A call from within finds its slots empty and leaves them as they were. */
export function outputOfCall(run: Run, frame: Frame, body: () => void): string {
  run.step(1 + frame.end - frame.start);
  if (++run.calls > MAX_CALLS) throw budgetFault('macros call each other too deeply');
  const slots = run.slots.slice(frame.start, frame.end);
  run.slots.fill(undefined, frame.start, frame.end);
  run.activations ??= [];
  const activation = run.activations[frame.index];
  run.activations[frame.index] = ++run.lastActivation;
  const outer = run.out;
  run.out = '';
  body();
  const text = run.out;
  run.out = outer;
  run.activations[frame.index] = activation;
  for (const [offset, value] of slots.entries()) run.slots[frame.start + offset] = value;
  run.calls--;
  return text;
}

export function activationsOf(run: Run, frames: readonly number[]): Activations {
  return frames.map((frame) => [frame, run.activations?.[frame]]);
}

/**
 * Throws if a macro is called outside of the call that it was made in: it reads the slots of that call, which belong to another
 * one by then.
 */
export function requireActivations(run: Run, name: string, made: Activations): void {
  for (const [frame, activation] of made) {
    if (run.activations?.[frame] !== activation)
      throw fault(`${name}() was made in a call that is not the current one`);
  }
}
