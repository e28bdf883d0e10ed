import { isUnavailable } from './errors.ts';
import { finishPurges } from './host-purge.ts';
import { finishRenames } from './host-renames.ts';
import { applyPendingEffects, hasPendingEffects } from './pending-effects.ts';
import { finishPlan } from './rule-journal.ts';
import type { Context } from './session.ts';

/** Finishes what writers left that died between two writes of one call. Does nothing when there is nothing. */
export async function recover(context: Context): Promise<void> {
  const state = await context.revisions.read(context.database);
  if (state.unfinishedPlan) await finishPlan(context);
  if (await hasPendingEffects(context)) await applyPendingEffects(context);
  await finishPurges(context);
  await finishRenames(context);
  if (state.abandoned.length > 0) await context.revisions.forgetWriters(context.database, state.abandoned);
}

/**
 * The same for a node that starts. It waits for a change of rules even while its writer's lease lasts: after a kill that is a
 * moment, and until the change is finished, readers see a part of the bundle. A live writer that takes longer continues by
 * itself.
 */
export async function recoverAtStart(context: Context): Promise<void> {
  const { promisedPlan } = await context.revisions.read(context.database);
  if (promisedPlan) {
    try {
      await finishPlan(context);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      context.logger.info('Another node is changing rules for a long time; this one does not wait for it');
    }
  }
  await recover(context);
}
