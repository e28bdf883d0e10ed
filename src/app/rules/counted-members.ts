import type { RuleDocument, RuleType } from '../../ports/index.ts';

/** The wanted document with the members that the program counts itself as the present one has them; without those if there is none. */
export function withCounted(
  { countedMembers = [] }: Pick<RuleType, 'countedMembers'>,
  wanted: RuleDocument,
  present: RuleDocument | undefined,
): RuleDocument {
  const written = Object.entries(wanted).filter(([name]) => !countedMembers.includes(name));
  const counted = countedMembers.flatMap((name) => (present?.[name] === undefined ? [] : [[name, present[name]]]));
  return Object.fromEntries([...written, ...counted]);
}
