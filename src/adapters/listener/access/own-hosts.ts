import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { Config } from '../../../app/kernel/config/schema.ts';
import { AppError } from '../../../ports/index.ts';
import type { HttpClient } from './client.ts';

/** The names by which browsers may address the service. */
export interface OwnHosts {
  /** True when the request was addressed to a name of ours. */
  isAddressed(headers: IncomingHttpHeaders, client: HttpClient): boolean;
  /** Throws `forbidden` if it was not, with advice. */
  require(headers: IncomingHttpHeaders, client: HttpClient): void;
}

/**
 * An attacker can point a domain name at one of our addresses. For the browser that opened it, the attacker's page is then of the
 * same origin as the service, and reads what the service gives to that machine. Addresses cannot be taken over that way, and over
 * TLS the browser has checked the name against our certificate; what is left are foreign names over plain HTTP.
 */
export function ownHosts(config: Pick<Config, 'BASE_URL' | 'ALLOWED_HOSTS'>): OwnHosts {
  const names = new Set([
    'localhost',
    hostname().toLowerCase(),
    ...config.ALLOWED_HOSTS.map((name) => name.toLowerCase()),
    ...(URL.canParse(config.BASE_URL) ? [new URL(config.BASE_URL).hostname] : []),
  ]);

  function isAddressed({ host }: IncomingHttpHeaders, client: HttpClient): boolean {
    // Browsers always send a Host.
    if (client.encrypted || host === undefined) return true;
    const url = addressed(host);
    if (url === undefined) return false;
    return isAddress(url.hostname) || names.has(url.hostname) || names.has(url.host);
  }

  return {
    isAddressed,
    require(headers, client) {
      if (isAddressed(headers, client)) return;
      const shown = (headers.host ?? '').slice(0, 200);
      throw new AppError(
        'forbidden',
        `${shown} is not a known name of the service; add it to ALLOWED_HOSTS, or set BASE_URL if people use that address`,
      );
    },
  };
}

/** Returns the name and port of a Host header; `undefined` if it contains anything else. */
export function addressed(host: string | undefined): URL | undefined {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined;
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
}

function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}
