import type { JsonObject } from '../../ports/json.ts';
import { memberText } from '../document/members.ts';

/** The hash of a token of a user document; existing installations have it under another name. */
export function tokenHashOf(token: JsonObject): string {
  return memberText(token, 'hash') || memberText(token, 'token_hash');
}
