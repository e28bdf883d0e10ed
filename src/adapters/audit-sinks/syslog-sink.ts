import { createSocket } from 'node:dgram';
import { connect, isIPv6, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { AppError, type AuditSink, forwardedText, type KeptAuditEntry } from '../../ports/index.ts';

const TIMEOUT_MS = 15_000;
/** Facility 13, "log audit". */
const FACILITY = 13;
const NOTICE = 5;
const WARNING = 4;
const DEFAULT_PORTS = { udp: 514, tcp: 601, tls: 6514 } as const;

export type SyslogTransport = keyof typeof DEFAULT_PORTS;

/**
 * Syslog messages as RFC 5424 has them. Over TCP and TLS each is preceded by its length (RFC 6587, 5425). The protocol knows no
 * receipt: over UDP nobody learns what is lost, over TCP and TLS what was handed to the line counts as sent.
 */
export function syslogSink(transport: SyslogTransport, host: string, port: number): AuditSink {
  const to = { host, port: port || DEFAULT_PORTS[transport] };
  const name = `syslog+${transport}://${host}:${to.port}`;
  const send = transport === 'udp' ? sendDatagrams : sendStream;
  return { name, send: (entries) => send(entries.map(syslogMessage), to, transport) };
}

/** One message; exported for its test. */
function syslogMessage(entry: KeptAuditEntry): Buffer {
  const severity = entry.outcome === 'done' ? NOTICE : WARNING;
  const head = `<${FACILITY * 8 + severity}>1 ${entry.at.toISOString()} ${nameOf(hostname())} muster ${process.pid} audit -`;
  return Buffer.from(`${head} \u{feff}${forwardedText(entry)}`);
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
    // Nothing is expected back, and what comes must not hold the end of the line.
    socket.resume();
    socket.once('close', (hadError) => {
      if (!hadError) resolve();
    });
  });
}
