import {
  type Actor,
  type HostMark,
  type HostStore,
  type MarkedBy,
  type MarkStore,
  StoredJson,
} from '../../ports/index.ts';

const EMPTY = StoredJson.ofText('{}') as StoredJson<Record<string, never>>;

export interface EmptiedSections {
  readonly hosts: Pick<HostStore, 'saveInventory'>;
  readonly marks: Pick<MarkStore, 'of' | 'remove'>;
  /** The account, and the section that it filled. */
  readonly mark: MarkedBy;
  /** Marks that were renewed since stay, for the next time. */
  readonly since: Date;
  readonly at: Date;
  readonly actor: Actor;
}

/**
 * Empties a section that an account filled, on some hosts, and takes its marks back. On hosts of which another account fills it too it
 * stays. Answers how many sections were emptied.
 */
export async function emptySection(
  { hosts, marks, mark, since, at, actor }: EmptiedSections,
  hostnames: readonly string[],
): Promise<number> {
  const { accountId, value: key } = mark;
  const isOthers = (one: HostMark): boolean =>
    one.kind === 'section' && one.value === key && one.accountId !== accountId;
  const ofOthers = new Set((await marks.of(hostnames)).filter(isOthers).map(({ hostname }) => hostname));
  const entries = hostnames
    .filter((hostname) => !ofOthers.has(hostname))
    .map((hostname) => ({ hostname, key, section: EMPTY }));
  const outcomes = await hosts.saveInventory({ entries, scope: null, at, actor });
  await marks.remove({ ...mark, hostnames, since });
  return outcomes.filter((outcome) => outcome === 'updated').length;
}
