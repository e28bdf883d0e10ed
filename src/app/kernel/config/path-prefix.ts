/** First parts of paths that the service or its tool server has, which a proxy that takes the prefix away would leave ambiguous. */
const OWN = /^\/(?:admin|api|docs|healthz|messages|mcp|metrics|openapi\.json|readyz|sse)(?:\/|$)/;

/** The path below which people find the service, as the address in BASE_URL has it: `/muster`; empty at the top of a host. */
export function pathPrefix({ BASE_URL }: { readonly BASE_URL: string }): string {
  if (!/^https?:/i.test(BASE_URL) || !URL.canParse(BASE_URL)) return '';
  return new URL(BASE_URL).pathname.replace(/\/+$/, '');
}

/** Letters that mean the same in addresses, cookies and documents, and no path of the service itself. */
export function isUsablePrefix(address: string): boolean {
  const prefix = pathPrefix({ BASE_URL: address });
  return prefix === '' || (/^(?:\/[\w.~-]+)+$/.test(prefix) && !OWN.test(prefix));
}

/** Removes user and query from an address: links with it go to all users, so credentials in it must not remain. */
export function withoutCredentials(address: string): string {
  return address.replace(/[?#].*$/s, '').replace(/^([a-z][a-z\d+.-]*:\/+)?.*@/is, '$1');
}
