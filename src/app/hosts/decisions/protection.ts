import { furtherMember } from '../../../kit/document/further-member.ts';

/**
 * Whether a record says, in its further members as JSON text, that age alone neither archives nor deletes the host. Existing
 * installations say so of hosts that people made. A source that no longer has the host, and people, archive it all the same.
 */
export function isProtected(members: string): boolean {
  return furtherMember(members, 'no_autodelete') === true;
}
