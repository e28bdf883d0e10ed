import { expect } from '@playwright/test';
import type { Workplace } from '../../support/workplace.ts';
import type { AcknowledgedRequest } from './oracle.ts';

/** By the program's own check: the database file, counters, lost rows, and the chain of the audit log. */
export async function expectNothingFound(place: Workplace): Promise<void> {
  const result = await place.muster(['storage', 'check', '--json']);
  expect(JSON.parse(result.stdout), result.stdout).toMatchObject({ found: 0 });
}

/** Without transactions a write that was cut off may leave changes that did not happen. Nobody is shown them, and a check takes them away. */
export async function takeRemaindersAway(place: Workplace): Promise<void> {
  const result = await place.muster(['storage', 'check', '--fix', '--json']);
  const { problems } = JSON.parse(result.stdout) as { problems: { fixed: boolean }[] };
  expect(problems.filter(({ fixed }) => !fixed)).toEqual([]);
}

/** Those of the latest thousand writes that the audit log does not have. */
export async function withoutAuditEntry(
  place: Workplace,
  requests: readonly AcknowledgedRequest[],
): Promise<AcknowledgedRequest[]> {
  const entries = JSON.parse(await place.done(['logs', '--audit', '--json', '--limit', '1000']));
  const kept = new Set(entries.map(({ request_id }: { request_id: string }) => request_id));
  return requests.filter(({ id }) => !kept.has(id));
}
