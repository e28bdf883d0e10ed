/**
 * The path below which a proxy shows the service, as in BASE_URL; empty at the top of a host. A browser that addresses the
 * service itself, without the proxy, gets the same document, and is not below that path.
 */
const PREFIX = prefixAt(
  window.location.pathname,
  document.querySelector<HTMLMetaElement>('meta[name="muster-prefix"]')?.content ?? '',
);

/** The address of a path of the service, such as `/admin/`, for browsers. */
export function below(path: string): string {
  return `${PREFIX}${path}`;
}

/** The same for use elsewhere: with the host that serves this page. */
export function addressBelow(path: string): string {
  return `${window.location.origin}${below(path)}`;
}

export function prefixAt(pathname: string, prefix: string): string {
  return pathname === prefix || pathname.startsWith(`${prefix}/`) ? prefix : '';
}
