import type { IncomingMessage } from 'node:http';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import type { ClientCertificate, ProxiedRequest } from '../../../ports/index.ts';

/** A request as sign-in methods see it that trust a proxy. */
export function proxiedRequest({ rawHeaders, socket }: IncomingMessage): ProxiedRequest {
  return { headers: distinctHeaders(rawHeaders), certificate: certificateOf(socket as Partial<TLSSocket>) };
}

/** Returns the headers as received: Node leaves out the second of some, and joins others as if they were one. */
function distinctHeaders(raw: readonly string[]): ProxiedRequest['headers'] {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    const before = headers.get(name);
    headers.set(name, before === undefined ? (raw[at + 1] ?? '') : `${before}\n${raw[at + 1]}`);
  }
  return Object.fromEntries(headers);
}

/** Returns the certificate of the peer, if an authority of `TLS_CLIENT_CA` signed it. */
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
