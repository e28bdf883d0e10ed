import type { FastifyRequest } from 'fastify';
import { pathPrefix } from '../../app/kernel/config/path-prefix.ts';
import type { Config } from '../../app/kernel/config/schema.ts';
import { contextOf } from '../listener/request-context.ts';

/** Attributes that decide how a browser keeps a cookie of ours. */
export interface CookiePlace {
  readonly encrypted: boolean;
  /** The path below which the service is found; empty at the top of its host. */
  readonly prefix: string;
}

export function cookiePlace(request: FastifyRequest, config: Pick<Config, 'BASE_URL'>): CookiePlace {
  return { encrypted: contextOf(request).client.encrypted, prefix: pathPrefix(config) };
}

/**
 * Returns the name of a cookie. Over TLS the name makes the browser promise that this very host set the cookie, for all paths,
 * over TLS; a browser refuses that name without encryption, which is only allowed on this machine. The promise does not permit a
 * path of its own, so installations below different paths of one host keep their cookies apart by names.
 */
export function cookieName(name: string, { encrypted, prefix }: CookiePlace): string {
  return `${encrypted ? '__Host-' : ''}${name}${prefix.replaceAll('/', '-')}`;
}
