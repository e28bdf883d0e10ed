import type { JsonObject } from '../../ports/json.ts';
import { memberText, ownMember } from './members.ts';

/** Whether a host template counts: one that is archived or switched off gives no labels, and nobody reaches a host by it. */
export function isActiveTemplate(document: JsonObject): boolean {
  if (ownMember(document, 'enabled') === false || memberText(document, 'lifecycle_state') === 'archived') return false;
  return (ownMember(document, 'deleted_at') ?? null) === null;
}
