import { worded } from '../../../kit/worded.ts';
import { shellWord } from '../../../kit/words/escape.ts';
import { AppError } from '../../../ports/index.ts';
import { SYSTEM_KIND } from '../../accounts/owned-objects.ts';
import { digestOf } from './decisions/canonical.ts';
import type { PlanWork } from './plan-in-making.ts';
import { placeOf } from './plan-tables.ts';

/** The remembered objects of an account. */
export interface Remembered {
  readonly count: number;
  /** Their number by kind. */
  readonly kinds: ReadonlyMap<string, number>;
  /** The system that they are in; `undefined` if it was not noted yet. */
  readonly system: string | undefined;
}

/** The system that the account leads to, as it says itself or as its target does. */
function systemOf({ opened }: Pick<PlanWork, 'opened'>): string | undefined {
  return opened.options.system ?? opened.target.system;
}

/**
 * Refuses an account that owns objects in another system than the one that it leads to: ids there belong to other objects. If the
 * system at the new address has most of them as Muster left them, it is the same system, and the address is noted. Throws `AppError`.
 */
export async function requireSameSystem(
  work: Pick<PlanWork, 'account' | 'opened' | 'tables'>,
  remembered: Remembered,
): Promise<Remembered> {
  const now = systemOf(work);
  const { count, system: old } = remembered;
  if (count === 0 || old === undefined || now === undefined || old === now) return remembered;
  if (await hasMost(work)) return { ...remembered, system: undefined };
  const { account, opened } = work;
  throw new AppError(
    'failed',
    worded`account ${{ account }} owns objects (${{ count: String(count) }}) at ${{ old: opened.mask(old) }} and leads to ${{ now: opened.mask(now) }} now; nothing was changed. Set the address back; or, if this is the same system, set system=${{ same: opened.mask(old) }} of the account; or leave them there: "muster account delete ${{ word: shellWord(account) }} --forget", and add the account again`,
  );
}

/** Whether the system has most of the remembered objects under their ids, marked as ours or with the values that Muster wrote. */
async function hasMost({ opened, tables }: Pick<PlanWork, 'opened' | 'tables'>): Promise<boolean> {
  let known = 0;
  let found = 0;
  for await (const step of tables.owned.steps()) {
    const remotes = tables.remote.get(step.map(([place]) => place));
    for (const [index, [place, owned]] of step.entries()) {
      const kind = opened.kinds.get(placeOf(place).kind);
      if (kind === undefined || !opened.covers(kind.id) || owned.remoteId === null) continue;
      known++;
      const remote = remotes[index];
      if (remote?.id !== owned.remoteId || remote.owner === 'other') continue;
      if (remote.owner === 'us' || digestOf(kind, remote.fields) === owned.digest) found++;
    }
  }
  return found * 2 > known;
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
