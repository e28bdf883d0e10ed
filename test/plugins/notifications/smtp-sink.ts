import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { ReceiverFault } from '../../../src/testing/notification-channel.contract.ts';
import type { Certificate } from '../../support/certificates.ts';

/** A server that takes mail and keeps it, or refuses receivers. */
export interface SmtpSink {
  readonly address: string;
  readonly mails: string[];
  readonly logins: string[];
  refuse: boolean;
  /** Addresses that it refuses. */
  refuseFor: readonly string[];
  /** What it does with mails that it was given whole. */
  fault: ReceiverFault | undefined;
  close(): Promise<void>;
}

/** With a certificate it speaks TLS from the first byte on. */
export async function smtpSink(certificate?: Certificate): Promise<SmtpSink> {
  const sockets = new Set<Socket>();
  const sink = {
    mails: [] as string[],
    logins: [] as string[],
    refuse: false,
    refuseFor: [] as readonly string[],
    fault: undefined as ReceiverFault | undefined,
  };
  const refuses = (text: string): boolean =>
    sink.refuse || sink.refuseFor.some((address) => text.includes(`<${address}>`));
  const serve = (socket: Socket): void => {
    sockets.add(socket);
    let buffered = '';
    let inData = false;
    const say = (line: string): void => {
      socket.write(`${line}\r\n`);
    };
    say('220 sink ESMTP');
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      buffered += chunk.toString('latin1');
      for (;;) {
        const end = inData ? buffered.indexOf('\r\n.\r\n') : buffered.indexOf('\r\n');
        if (end < 0) return;
        const text = buffered.slice(0, end);
        buffered = buffered.slice(end + (inData ? 5 : 2));
        if (inData) {
          inData = false;
          sink.mails.push(text);
          if (sink.fault === 'loses') socket.destroy();
          else if (sink.fault !== 'is silent') say(sink.fault === 'refuses' ? '554 not now' : '250 taken');
        } else if (/^EHLO/i.test(text)) say('250-sink\r\n250 AUTH PLAIN');
        else if (/^AUTH PLAIN /i.test(text)) {
          sink.logins.push(Buffer.from(text.slice(11), 'base64').toString());
          say('235 welcome');
        } else if (/^STARTTLS/i.test(text)) say('502 no encryption here');
        else if (/^RCPT/i.test(text)) say(refuses(text) ? '550 no such user' : '250 ok');
        else if (/^DATA/i.test(text)) {
          inData = true;
          say('354 go on');
        } else if (/^QUIT/i.test(text)) socket.end('221 bye\r\n');
        else say('250 ok');
      }
    });
  };
  const server = certificate === undefined ? createServer(serve) : createTlsServer(certificate, serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(sink, {
    address: `${certificate === undefined ? 'smtp' : 'smtps'}://127.0.0.1:${port}`,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  });
}
