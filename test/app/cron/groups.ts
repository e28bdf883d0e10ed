import { type CronGroup, readCronGroup } from '../../../src/app/runs/cron/decisions/group.ts';
import { type CronState, type RuleDocument, type RuleRecord, StoredJson } from '../../../src/ports/index.ts';

const GROUP_ID = 'a'.repeat(24);

export function recordOf(document: RuleDocument, id = GROUP_ID): RuleRecord {
  const name = typeof document.name === 'string' ? document.name : '';
  return { type: 'cron_groups', id, name, document: StoredJson.ofValue(document), version: 1 } as RuleRecord;
}

export function groupOf(document: RuleDocument, id = GROUP_ID): CronGroup {
  return readCronGroup(recordOf({ name: 'group', enabled: true, ...document }, id));
}

/** The state of a group whose last run ended. */
export function endedState(lastStart: Date, more: Partial<CronState> = {}): CronState {
  return {
    groupId: GROUP_ID,
    lastStart,
    lastEnd: new Date(lastStart.getTime() + 1000),
    message: '',
    hasError: false,
    holder: null,
    isHeld: false,
    requested: false,
    attempts: 0,
    ...more,
  };
}
