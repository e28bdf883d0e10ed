/**
 * How large a host may be. Far above what real systems hold (the largest fact sets we know have 3,000 members), and
 * small enough that one host fits a MongoDB document (16 MiB, 100 levels; a level of ours takes up to three of theirs).
 */
export const HOST_LIMITS = {
  /** Code points. */
  hostname: 253,
  labels: 5_000,
  /** Characters of one key. */
  key: 1_024,
  /** Characters of all keys and values of a label set. */
  labelCharacters: 2_000_000,
  sectionMembers: 100_000,
  sectionCharacters: 4_000_000,
  sectionDepth: 24,
} as const;
