import { memberDate } from '../../../kit/document/members.ts';
import { worded } from '../../../kit/worded.ts';
import {
  type Actor,
  AppError,
  type Clock,
  type RuleDocument,
  type RuleRecord,
  type Storage,
  StoredJson,
} from '../../../ports/index.ts';
import { changeWithRetry } from '../../kernel/change-with-retry.ts';
import { heldVersion, heldWrite } from '../../rules/trust/held-versions.ts';

export const CRON_GROUPS = 'cron_groups';

interface ChangeDeps {
  readonly storage: Pick<Storage, 'rules'>;
  readonly clock: Clock;
}

/**
 * Changes members of a group's document, whatever others change at the same time. `change` answers the new document, or
 * `undefined` to leave it. Answers false when there is no such group.
 */
async function changeGroup(
  { storage, clock }: ChangeDeps,
  id: string,
  actor: Actor,
  change: (document: RuleDocument, record: RuleRecord) => RuleDocument | undefined,
): Promise<boolean> {
  const isThere = await changeWithRetry(async () => {
    const record = await storage.rules.get(CRON_GROUPS, id);
    if (record === undefined) return false;
    const document = change(record.document.value, record);
    if (document === undefined) return true;
    const outcome = await storage.rules.replace({
      entry: {
        type: CRON_GROUPS,
        id,
        name: record.name,
        uniqueName: true,
        document: StoredJson.ofValue(document),
        confirmedBy: 'keep',
      },
      expectedVersion: record.version,
      at: clock.now(),
      actor,
    });
    if (outcome === 'replaced') return true;
    return outcome === 'not_found' ? false : undefined;
  });
  if (isThere !== undefined) return isThere;
  throw new AppError('conflict', worded`the cron group is being changed by many others; try again`);
}

/** Sets or clears the flag by which a group runs on the next pass. Answers false when there is no such group, as below. */
export function setRunOnceNext(deps: ChangeDeps, id: string, actor: Actor, wanted: boolean): Promise<boolean> {
  return changeState(deps, id, actor, (document) =>
    document.run_once_next === wanted ? undefined : { ...document, run_once_next: wanted },
  );
}

/** Pauses a group until a moment; `null` ends its pause. */
export function setPause(deps: ChangeDeps, id: string, actor: Actor, until: Date | null): Promise<boolean> {
  return changeState(deps, id, actor, (document) => {
    if (memberDate(document, 'paused_until')?.getTime() === until?.getTime()) return undefined;
    return { ...document, paused_until: until === null ? null : { $date: until.getTime() } };
  });
}

/** A change that says nothing of what the group does, and so needs no confirmation. */
async function changeState(
  deps: ChangeDeps,
  id: string,
  actor: Actor,
  flagged: (document: RuleDocument) => RuleDocument | undefined,
): Promise<boolean> {
  const { rules } = deps.storage;
  const isThere = await changeGroup(deps, id, actor, flagged);
  // While a change of the group waits, the version before is the one that runs.
  await changeWithRetry(async () => {
    const held = await heldVersion(rules, CRON_GROUPS, id, await rules.get(CRON_GROUPS, id));
    const document = held?.acting && flagged(held.acting.document.value);
    if (held?.acting === undefined || held.entryVersion === undefined || document === undefined) return true;
    const acting = { ...held.acting, document: StoredJson.ofValue(document) };
    const outcome = await rules.replace({
      entry: heldWrite({ ...held, acting }),
      expectedVersion: held.entryVersion,
      at: deps.clock.now(),
      actor,
    });
    return outcome === 'conflict' ? undefined : true;
  });
  return isThere;
}
