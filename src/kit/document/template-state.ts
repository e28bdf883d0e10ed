import type { JsonObject } from '../../ports/json.ts';
import { memberText, ownMember } from './members.ts';

/** Whether a host template is active: an archived or disabled one gives no labels and grants no access to hosts. */
export function isActiveTemplate(document: JsonObject): boolean {
  if (ownMember(document, 'enabled') === false || memberText(document, 'lifecycle_state') === 'archived') return false;
  return (ownMember(document, 'deleted_at') ?? null) === null;
}
