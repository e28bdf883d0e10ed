import { hasDebts, settleDebts } from './debts.ts';
import { finishPurges } from './host-purge.ts';
import { finishRenames } from './host-renames.ts';
import { finishPlan } from './rule-journal.ts';
import type { Context } from './session.ts';

/** Finishes what writers left that died between two writes of one call. Does nothing when there is nothing. */
export async function recover(context: Context): Promise<void> {
  const state = await context.revisions.read(context.database);
  if (state.unfinishedPlan) await finishPlan(context);
  if (await hasDebts(context)) await settleDebts(context);
  await finishPurges(context);
  await finishRenames(context);
  if (state.abandoned.length > 0) await context.revisions.forgetWriters(context.database, state.abandoned);
}
