import type { AppliedEffect } from './rule-plan-documents.ts';
import type { Context } from './session.ts';

/** Removes applied effects from their hosts. The version moves, so that a writer who has read an effect cannot write it back. */
export async function clearAppliedEffects(context: Context, paid: readonly AppliedEffect[]): Promise<void> {
  if (paid.length === 0) return;
  await context.database.hosts.bulkWrite(
    paid.map(({ hostname, id }) => ({
      updateOne: {
        filter: { _id: hostname, 'debts.id': id },
        update: { $pull: { debts: { id } }, $inc: { v: 1 } } satisfies Record<string, unknown>,
      },
    })),
    { ordered: false },
  );
}
