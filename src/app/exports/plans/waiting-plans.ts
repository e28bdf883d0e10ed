import { shellWord } from '../../../kit/words/escape.ts';
import type { Ask, Need } from '../../maintenance/upkeep-parts.ts';
import { listPlans } from './operations/list-plans.ts';

const PLANS = 100;

/** Plans that wait for the approval of another administrator. */
export async function waitingPlans(ask: Ask): Promise<readonly Need[]> {
  const { plans } = await ask(listPlans, { limit: PLANS });
  return plans
    .filter(({ status, needs_approval, approved_by }) => status === 'ready' && needs_approval && approved_by === null)
    .map(({ id, account }) => ({
      what: `plan of ${account}`,
      message: 'waits for approval',
      command: `muster plan show ${shellWord(id)}`,
    }));
}
