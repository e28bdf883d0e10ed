import type { HostRename, RangeRemoval, RecordChange, RecordStore } from '../../../ports/index.ts';
import { commentKind } from './comments.ts';
import { OWNER, ownershipKind } from './ownership.ts';
import { playbookMatchKind } from './playbooks.ts';
import { within } from './record-kind.ts';

/** Records read at once. */
const PAGE = 500;

/** The changes by which everything that records say of a host goes with it to another name. */
export async function movesOfHost(records: RecordStore, { from, to }: HostRename): Promise<readonly RecordChange[]> {
  const changes: RecordChange[] = [];
  const matches = playbookMatchKind(() => records);
  for await (const page of matches.pages({ ...within(from), limit: PAGE }))
    for (const match of page) changes.push(matches.drop(match), matches.put({ ...match.item, hostname: to }));
  const owned = ownershipKind(() => records);
  for await (const page of owned.pages({ by: OWNER, ...within(from), limit: PAGE }))
    for (const { item, version } of page) changes.push(owned.put({ ...item, hostname: to }, version));
  const comments = commentKind(() => records);
  for await (const page of comments.pages({ ...within(from), limit: PAGE }))
    for (const comment of page) changes.push(comments.drop(comment), comments.put({ ...comment.item, hostname: to }));
  return changes;
}

/** The changes by which what records say of a host goes with it when it is deleted for good. */
export function removalsOfHost(hostname: string): readonly RangeRemoval[] {
  return [{ remove: { kind: 'host_comments', ...within(hostname) } }];
}
