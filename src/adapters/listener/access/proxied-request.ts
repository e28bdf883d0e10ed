import type { IncomingMessage } from 'node:http';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import type { ClientCertificate, ProxiedRequest } from '../../../ports/index.ts';

/** A request as sign-in methods see it that trust a proxy. */
export function proxiedRequest({ headers, socket }: IncomingMessage): ProxiedRequest {
  const joined = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ]);
  return { headers: Object.fromEntries(joined), certificate: certificateOf(socket as Partial<TLSSocket>) };
}

/** The certificate of the peer, where an authority of `TLS_CLIENT_CA` signed it. */
function certificateOf(socket: Partial<TLSSocket>): ClientCertificate | undefined {
  if (socket.authorized !== true) return undefined;
  const certificate: Partial<PeerCertificate> | undefined = socket.getPeerCertificate?.();
  const { fingerprint256, subject, subjectaltname } = certificate ?? {};
  if (fingerprint256 === undefined) return undefined;
  return {
    fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
    names: [subject?.CN ?? [], dnsNames(subjectaltname ?? '')].flat().filter((name) => name !== ''),
  };
}

/** A name that holds a comma is quoted, and no name of a machine. */
function dnsNames(text: string): readonly string[] {
  if (text.includes('"')) return [];
  return text.split(', ').flatMap((entry) => (entry.startsWith('DNS:') ? [entry.slice(4)] : []));
}
