import { worded } from '../../../kit/worded.ts';
import { shellWord } from '../../../kit/words/escape.ts';
import { AppError } from '../../../ports/index.ts';
import { SYSTEM_KIND } from '../../accounts/owned-objects.ts';
import type { PlanWork } from './plan-in-making.ts';

/** The remembered objects of an account. */
export interface Remembered {
  readonly count: number;
  /** The system that they are in; `undefined` if it was not noted yet. */
  readonly system: string | undefined;
}

/** The system that the account leads to, as it says itself or as its target does. */
function systemOf({ opened }: Pick<PlanWork, 'opened'>): string | undefined {
  return opened.options.system ?? opened.target.system;
}

/**
 * Refuses an account that owns objects in another system than the one that it leads to: ids there belong to other objects.
 * Throws `AppError`.
 */
export function requireSameSystem(
  work: Pick<PlanWork, 'account' | 'opened'>,
  { count, system: old }: Remembered,
): void {
  const now = systemOf(work);
  if (count === 0 || old === undefined || now === undefined || old === now) return;
  const { account, opened } = work;
  throw new AppError(
    'failed',
    worded`account ${{ account }} owns objects (${{ count: String(count) }}) at ${{ old: opened.mask(old) }} and leads to ${{ now: opened.mask(now) }} now; nothing was changed. Set the address back; or, if this is the same system, set system=${{ same: opened.mask(old) }} of the account; or leave them there: "muster account delete ${{ word: shellWord(account) }} --forget", and add the account again`,
  );
}

/** Notes which system the objects of the account are in, before the first of them is made, and of those of before this was noted. */
export async function noteSystem(work: PlanWork, { count, system: old }: Remembered): Promise<void> {
  const now = systemOf(work);
  if (now === undefined || now === old || (count > 0 && old !== undefined)) return;
  const { ownership, accountId, clock } = work;
  const none = { remoteId: null, hostname: '', secrets: '', pending: null };
  const row = { kind: SYSTEM_KIND, key: 'system', digest: now, writtenAt: clock.now(), ...none };
  await ownership.save(accountId, [row]);
}
