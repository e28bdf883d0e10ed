import { canonicalJson } from '../../../kit/json/canonical-json.ts';
import type { RuleVersion, Storage } from '../../../ports/index.ts';
import { CRON_GROUPS } from './change-group.ts';
import type { CronGroup } from './decisions/group.ts';

/** More versions than these tell nobody who caused a run. */
const MOST_VERSIONS = 200;

/**
 * Who caused a run of a group: who asked for it, else who wrote the group last. The flag by which a run is asked for is no writing of the
 * group. `undefined` where no version is kept that tells.
 */
export async function causerOf(
  { rules }: Pick<Storage, 'rules'>,
  { id, runOnceNext }: Pick<CronGroup, 'id' | 'runOnceNext'>,
): Promise<string | undefined> {
  const versions = await rules.versions(CRON_GROUPS, id, MOST_VERSIONS);
  const isCause = runOnceNext ? asks : writes;
  return versions.find((version, place) => isCause(version, versions[place + 1]))?.actor;
}

function asks({ document }: RuleVersion, before: RuleVersion | undefined): boolean {
  return document.value.run_once_next === true && before?.document.value.run_once_next !== true;
}

function writes(version: RuleVersion, before: RuleVersion | undefined): boolean {
  return before === undefined || contentOf(version) !== contentOf(before);
}

function contentOf({ document }: RuleVersion): string {
  const { run_once_next: _, ...content } = document.value;
  return canonicalJson(content);
}
