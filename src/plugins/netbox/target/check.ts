import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { HttpContext, TargetKind } from '../../../ports/index.ts';
import { permission } from '../api/endpoints.ts';
import type { NetBoxApi } from '../api/open-api.ts';
import { KIND_ENDPOINTS } from './endpoints.ts';
import { isKindId } from './kinds.ts';

/** What the token lacks to do what the account is to do, as NetBox calls it: `dcim.add_site`. */
export async function missingPermissions(
  { http, maySee }: NetBoxApi,
  kinds: readonly TargetKind[],
  isWritten: (kind: string) => boolean,
  context: HttpContext,
): Promise<readonly string[]> {
  const missing = new Set<string>();
  const asked = new Set<string>();
  for (const { id, ensured } of kinds) {
    if (!isKindId(id) || asked.has(KIND_ENDPOINTS[id].path)) continue;
    const endpoint = KIND_ENDPOINTS[id];
    const { path } = endpoint;
    asked.add(path);
    if (!(await maySee(endpoint, context))) missing.add(permission('view', endpoint));
    if (!isWritten(id)) continue;
    const { value } = await http.json({ method: 'OPTIONS', path, repeatable: true, accept: [403] }, context);
    const actions = isJsonObject(value) && isJsonObject(value.actions) ? value.actions : {};
    if (!('POST' in actions)) missing.add(permission('add', endpoint));
    if (ensured !== true && !('PUT' in actions)) missing.add(permission('change', endpoint));
  }
  return [...missing].sort();
}
