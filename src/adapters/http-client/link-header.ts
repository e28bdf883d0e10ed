/** One link of a `Link` header; a relation is a word or an address, and a link may have several. */
const LINK = /<([^>]*)>((?:\s*;\s*[^\s=;,"]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)\s*(?:,\s*|$)/gy;
const PARAMETER = /;\s*([^\s=;,"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g;

/** The target of the first link of that relation (RFC 8288). Links of another context are passed over. */
export function linkOf(header: string, relation: string): string | undefined {
  for (const [, target = '', parameters = ''] of header.trim().matchAll(LINK)) {
    // The first of a name counts.
    const said = new Map<string, string>();
    for (const [, name = '', quoted, token = ''] of parameters.matchAll(PARAMETER)) {
      if (!said.has(name.toLowerCase())) said.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? token);
    }
    const relations = (said.get('rel') ?? '').toLowerCase().split(/\s+/);
    if (relations.includes(relation) && !said.has('anchor')) return target;
  }
  return undefined;
}
