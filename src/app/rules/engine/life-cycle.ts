import { ownMember } from '../../../kit/document/members.ts';
import type { HostRecord } from '../../../ports/host.ts';
import type { JsonValue } from '../../../ports/json.ts';

const MEMBER = 'lifecycle_state';
/** A host that was archived elsewhere and restored here keeps the word in its record. */
const IN_SERVICE: readonly JsonValue[] = ['active', 'archived', '', null];

/** The state of a host's life cycle that keeps it out of inventories (planned, decommissioned …); `undefined` for others. */
export function outOfService({ members }: Pick<HostRecord, 'members'>): JsonValue | undefined {
  // Most records have no such member, and parsing costs more than looking.
  if (!members.text.includes(`"${MEMBER}"`)) return undefined;
  const state = ownMember(members.value, MEMBER);
  return state === undefined || IN_SERVICE.includes(state) ? undefined : state;
}
