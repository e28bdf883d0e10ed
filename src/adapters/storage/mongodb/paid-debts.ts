import type { PaidDebt } from './rule-plan-documents.ts';
import type { Context } from './session.ts';

/** Takes booked debts off their hosts. The version moves, so that a writer who has read the debt cannot write it back. */
export async function clearDebts(context: Context, paid: readonly PaidDebt[]): Promise<void> {
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
