import { createSocket } from 'node:dgram';
import { connect, isIPv6, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { requireAllowedHost } from '../../kit/names/addresses.ts';
import { AppError, type SyslogLine } from '../../ports/index.ts';

const TIMEOUT_MS = 15_000;
const DEFAULT_PORTS = { udp: 514, tcp: 601, tls: 6514 } as const;
/** Facility 16, "local use 0". */
const LOCAL = 16;
const SEVERITIES = { error: 3, warning: 4, notice: 5 } as const;

export type SyslogTransport = keyof typeof DEFAULT_PORTS;

export interface SyslogMessage {
  readonly facility: number;
  readonly severity: number;
  readonly at: Date;
  /** Type of the message: `audit`. */
  readonly kind: string;
  readonly text: string;
}

export interface SyslogPlace {
  /** The address of the place, with its port. */
  readonly name: string;
  send(messages: readonly SyslogMessage[]): Promise<void>;
}

/**
 * Sends messages in the format of RFC 5424. Over TCP and TLS each is preceded by its length (RFC 6587, 5425). The protocol has no
 * receipts: over UDP losses go unnoticed, over TCP and TLS anything written to the connection counts as sent.
 */
export function syslogPlace(transport: SyslogTransport, host: string, port: number): SyslogPlace {
  const to = { host, port: port || DEFAULT_PORTS[transport] };
  const send = transport === 'udp' ? sendDatagrams : sendStream;
  return {
    name: `syslog+${transport}://${host}:${to.port}`,
    async send(messages) {
      await requireAllowedHost(host);
      await send(messages.map(bytesOf), to, transport);
    },
  };
}

/** Returns the transport and place that an address names; `undefined` for any other than a syslog address. */
export function syslogPlaceOf(address: string): SyslogPlace | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const [, transport = 'udp'] = /^syslog(?:\+(udp|tcp|tls))?:$/.exec(url?.protocol ?? '') ?? [];
  if (url === undefined || !/^syslog/.test(url.protocol) || !isTransport(transport)) return undefined;
  return syslogPlace(transport, url.hostname.replace(/^\[(.*)\]$/, '$1'), Number(url.port));
}

export async function sendLine({ address, severity, text }: SyslogLine): Promise<void> {
  const place = syslogPlaceOf(address);
  if (place === undefined)
    throw new AppError('invalid_input', 'the address must be syslog://host:port, syslog+tcp:// or syslog+tls://');
  const message = { facility: LOCAL, severity: SEVERITIES[severity], at: new Date(), kind: 'notification', text };
  await place.send([message]);
}

function isTransport(text: string): text is SyslogTransport {
  return Object.hasOwn(DEFAULT_PORTS, text);
}

function bytesOf({ facility, severity, at, kind, text }: SyslogMessage): Buffer {
  const head = `<${facility * 8 + severity}>1 ${at.toISOString()} ${nameOf(hostname())} muster ${process.pid} ${kind} -`;
  return Buffer.from(`${head} \u{feff}${text}`);
}

/** Printable ASCII without spaces, as the head of a message wants it. */
function nameOf(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '_').slice(0, 255) || '-';
}

interface Destination {
  readonly host: string;
  readonly port: number;
}

async function sendDatagrams(messages: readonly Buffer[], { host, port }: Destination): Promise<void> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  try {
    for (const message of messages) {
      await new Promise<void>((resolve, reject) => {
        socket.send(message, port, host, (error) => (error === null ? resolve() : reject(error)));
      });
    }
  } finally {
    socket.close();
  }
}

function sendStream(messages: readonly Buffer[], to: Destination, transport: SyslogTransport): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket =
      transport === 'tls' ? connectTls({ ...to, servername: isIPv6(to.host) ? '' : to.host }) : connect(to);
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new AppError('failed', 'it does not take what is sent')));
    socket.once('error', reject);
    socket.once(transport === 'tls' ? 'secureConnect' : 'connect', () => {
      for (const message of messages) socket.write(Buffer.concat([Buffer.from(`${message.length} `), message]));
      socket.end();
    });
    // No answer is expected, and any data must not delay the end of the connection.
    socket.resume();
    socket.once('close', (hadError) => {
      if (!hadError) resolve();
    });
  });
}
