import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { appendApiLog } from '../../journal/api-log.ts';
import { type Caller, wholeAccountsOf } from '../../kernel/caller.ts';
import type { RunServices } from '../services.ts';
import { setRunOnceNext } from './change-group.ts';
import type { CronGroup } from './decisions/group.ts';

/** The group, as far as the caller may reach it. */
export async function requireGroup(services: RunServices, caller: Caller, name: string): Promise<CronGroup> {
  const group = await services.cronGroups.find(name, wholeAccountsOf(caller));
  if (group === undefined) throw unknownGroup(name);
  return group;
}

export function unknownGroup(name: string): AppError {
  return new AppError(
    'not_found',
    worded`there is no cron group ${{ name: name.slice(0, 200) }}; list the groups to see which exist`,
  );
}

/** Notes that a group should run on the next pass, or no longer. */
export async function requestRun(
  services: RunServices,
  caller: Caller,
  group: CronGroup,
  wanted: boolean,
): Promise<void> {
  const actor = { kind: 'user', name: caller.name } as const;
  if (!(await setRunOnceNext(services, group.id, actor, wanted))) throw unknownGroup(group.name);
  if (caller.entrance === 'cli') return;
  const message = wanted
    ? worded`Cron group ${{ group: group.name }} runs on the next pass, as ${{ user: caller.name }} asked`
    : worded`Cron group ${{ group: group.name }} no longer runs on the next pass, as ${{ user: caller.name }} asked`;
  await appendApiLog(services, { message, address: caller.address });
}
