import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../../app/kernel/config/schema.ts';
import { AppError } from '../../../ports/index.ts';
import { addressed } from '../../listener/access/own-hosts.ts';
import { foreignPage } from '../../listener/access/own-pages.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses requests that were addressed to another name than ours, or that a page of another site sends: a browser on this
 * machine can be led here by a name that its owner points at 127.0.0.1, and then brings the credentials it knows.
 */
export function hostGuard(
  config: Pick<Config, 'BASE_URL' | 'MCP_ALLOWED_HOSTS'>,
): (headers: IncomingHttpHeaders) => void {
  const allowed = new Set([
    ...LOOPBACK,
    ...config.MCP_ALLOWED_HOSTS.map((name) => name.toLowerCase()),
    ...(URL.canParse(config.BASE_URL) ? [new URL(config.BASE_URL).hostname] : []),
  ]);
  const isAllowed = (url: URL | undefined): boolean =>
    url !== undefined && (allowed.has(url.hostname) || allowed.has(url.host));

  return ({ host, origin, 'sec-fetch-site': site }) => {
    if (!isAllowed(addressed(host))) throw foreign('Host', host);
    if (origin !== undefined && !isAllowed(originOf(origin))) throw foreign('Origin', origin);
    // A page cannot forge what a browser reports about it, and a neighbour on this machine is not us.
    if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreignPage();
  };
}

function originOf(origin: string): URL | undefined {
  return /^https?:/i.test(origin) && URL.canParse(origin) ? new URL(origin) : undefined;
}

function foreign(header: string, value: string | undefined): AppError {
  const shown = (value ?? '').slice(0, 200);
  return new AppError(
    'forbidden',
    `the ${header} ${shown} is not one of ours; address the server as localhost, or name the host in MCP_ALLOWED_HOSTS or BASE_URL`,
  );
}
