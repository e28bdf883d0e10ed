import type { IncomingMessage } from 'node:http';
import type { Config } from '../../../app/kernel/config/schema.ts';
import { AppError } from '../../../ports/index.ts';
import type { HttpClient } from './client.ts';
import { addressed } from './own-hosts.ts';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Tells our own pages from foreign ones, by headers of the browser that no page can forge. */
export interface OwnPages {
  /**
   * Throws `forbidden` for requests that change something and were sent by a page of another origin. Programs other than browsers
   * pass.
   */
  require(message: IncomingMessage, client: HttpClient): void;
}

/**
 * A browser sends the credentials that it remembers for the service with requests of any page. So a page of another origin must
 * not change anything. `Sec-Fetch-Site` identifies the page's site; browsers that do not send it (older ones, or over plain HTTP)
 * send `Origin` with every request that is not safe.
 */
export function ownPages(config: Pick<Config, 'BASE_URL'>): OwnPages {
  const base = URL.canParse(config.BASE_URL) ? new URL(config.BASE_URL).origin : undefined;

  function isForeign({ headers }: IncomingMessage, client: HttpClient): boolean {
    const site = headers['sec-fetch-site'];
    if (site !== undefined) return site !== 'same-origin' && site !== 'none';
    const { origin } = headers;
    if (origin === undefined || origin === base) return false;
    const host = addressed(headers.host);
    if (host === undefined || !URL.canParse(origin)) return true;
    // Parsed with its scheme: the port that belongs to it is left out then, as in the origin.
    return new URL(origin).origin !== new URL(`${client.encrypted ? 'https' : 'http'}://${host.host}`).origin;
  }

  return {
    require(message, client) {
      if (SAFE_METHODS.has(message.method ?? '') || !isForeign(message, client)) return;
      throw foreignPage();
    },
  };
}

export function foreignPage(): AppError {
  return new AppError(
    'forbidden',
    'this request came from a page of another site; only pages of this service may change anything. Behind a proxy, set BASE_URL to the address that people use',
  );
}

/**
 * True for requests that a browser makes by itself. It would answer a Basic challenge with a window of its own and remember the
 * input, for every page that sends requests here from then on.
 */
export function isBrowser({ headers }: IncomingMessage): boolean {
  // The fetch of Node.js sends a mode too, but none of the other headers.
  const isFetched = headers['sec-fetch-site'] !== undefined || headers['sec-fetch-dest'] !== undefined;
  return isFetched || headers['sec-fetch-mode'] === 'navigate' || /\btext\/html\b/i.test(headers.accept ?? '');
}
