import type { HttpContext } from '../../../ports/index.ts';
import { ENDPOINTS } from '../api/endpoints.ts';
import type { NetBoxApi } from '../api/open-api.ts';
import type { Query } from '../api/pages.ts';
import { nativeName } from './names.ts';
import type { PartId } from './parts.ts';

const PAGE_SIZE = 1_000;

/** Names that several hosts of these parts have. Reads the names of all of them first, and nothing else of them. */
export async function sharedNames(
  api: NetBoxApi,
  parts: readonly { readonly part: PartId; readonly filter: Query }[],
  context: HttpContext,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  const shared = new Set<string>();
  for (const { part, filter } of parts) {
    const request = { path: ENDPOINTS[part].path, query: { ...filter, fields: 'id,name' }, size: PAGE_SIZE };
    for await (const page of api.list(request, context)) {
      for (const object of page) {
        const name = nativeName(object);
        if (name === undefined) continue;
        if (known.has(name)) shared.add(name);
        else known.add(name);
      }
    }
  }
  return shared;
}
