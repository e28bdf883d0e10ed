import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from './addresses.ts';
import type { HttpClient } from './client.ts';
import { addressed } from './own-hosts.ts';

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  // No page of another site gets an answer into its process, not even as an image or a script.
  'cross-origin-resource-policy': 'same-origin',
} as const;
const ENCRYPTED = { ...ALWAYS, 'strict-transport-security': 'max-age=31536000' } as const;

/**
 * Returns the headers of every answer: browsers must take it only for its declared type and, if the request used HTTPS, must use
 * HTTPS again.
 */
export function securityHeaders({ host }: IncomingHttpHeaders, client: HttpClient): Readonly<Record<string, string>> {
  return client.encrypted && !isThisMachine(host) ? ENCRYPTED : ALWAYS;
}

/** A browser that may speak only HTTPS to localhost shuts out everything else that its user tries there. */
function isThisMachine(host: string | undefined): boolean {
  const name = addressed(host)?.hostname;
  return name === undefined || name === 'localhost' || isLoopback(name) || name === '[::1]';
}

/** The same without the question for Basic credentials. */
export function withoutChallenge(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { 'www-authenticate': _, ...others } = headers;
  return others;
}
