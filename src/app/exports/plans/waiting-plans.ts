import { shellWord } from '../../../kit/words/escape.ts';
import type { Ask, Need } from '../../maintenance/upkeep-parts.ts';
import { listPlans } from './operations/list-plans.ts';
import type { PlanAnswer } from './plan-answer.ts';

const PAGE = 1000;
/** Plans that are older than these are not looked at. */
const MOST_PAGES = 5;

/** Plans that wait for the approval of another administrator. */
export async function waitingPlans(ask: Ask): Promise<readonly Need[]> {
  const found: PlanAnswer[] = [];
  let before: string | null | undefined;
  for (let pages = 0; pages < MOST_PAGES && before !== null; pages++) {
    const { plans, next } = await ask(listPlans, { limit: PAGE, before });
    found.push(...plans);
    before = next;
  }
  return found
    .filter(({ status, needs_approval, approved_by }) => status === 'ready' && needs_approval && approved_by === null)
    .map(({ id, account }) => ({
      what: `plan of ${account}`,
      message: 'waits for approval',
      command: `muster plan show ${shellWord(id)}`,
    }));
}
