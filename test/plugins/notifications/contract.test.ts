import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import chat from '../../../src/plugins/chat/index.ts';
import mail from '../../../src/plugins/mail/index.ts';
import syslog from '../../../src/plugins/syslog/index.ts';
import webhook from '../../../src/plugins/webhook/index.ts';
import type { NotificationChannel } from '../../../src/ports/index.ts';
import { faultyServer } from '../../../src/testing/faulty-server.ts';
import {
  describeNotificationChannelContract,
  type OpenedReceiver,
  type ReceiverFault,
} from '../../../src/testing/notification-channel.contract.ts';
import { pluginUnderTest } from '../../../src/testing.ts';
import { smtpSink } from './smtp-sink.ts';

const FAULTS: readonly ReceiverFault[] = ['refuses', 'is silent', 'loses'];

/** A receiver over HTTP. What came holds its header too, where a webhook has its id. */
async function overHttp(open: (address: string) => NotificationChannel): Promise<OpenedReceiver> {
  let fault: ReceiverFault | undefined;
  const server = await faultyServer((response) => {
    if (fault === 'is silent') return;
    if (fault === 'loses') response.destroy();
    else response.writeHead(fault === 'refuses' ? 503 : 200, { 'content-type': 'text/plain' }).end('ok');
  });
  return {
    channel: open(server.address),
    received: () => server.requests.map(({ body, headers }) => `${String(headers['idempotency-key'])} ${body}`),
    behave: (next) => {
      fault = next;
    },
    close: () => server.close(),
  };
}

describeNotificationChannelContract('webhook', {
  faults: FAULTS,
  own: ['k3y-of-the-test'],
  open: () =>
    overHttp((address) =>
      pluginUnderTest(webhook).notificationChannel(
        'webhook',
        { url: `${address}/in` },
        { password: 'k3y-of-the-test' },
      ),
    ),
});

for (const type of ['slack', 'mattermost', 'teams']) {
  describeNotificationChannelContract(type, {
    faults: FAULTS,
    own: ['s3cret-path'],
    open: () =>
      overHttp((address) => pluginUnderTest(chat).notificationChannel(type, { webhook_url: `${address}/s3cret-path` })),
  });
}

describeNotificationChannelContract('mail', {
  faults: FAULTS,
  own: ['s3cret-of-mail'],
  async open() {
    const sink = await smtpSink();
    const account = { address: sink.address, username: 'muster', password: 's3cret-of-mail' };
    const options = { from: 'muster@example.org', to: 'ops@example.org', allow_unencrypted: 'true' };
    return {
      channel: pluginUnderTest(mail).notificationChannel('mail', options, account),
      received: () => sink.mails,
      behave: (fault) => {
        sink.fault = fault;
      },
      close: () => sink.close(),
    };
  },
});

describeNotificationChannelContract('syslog', {
  faults: [],
  own: [],
  async open() {
    const lines: string[] = [];
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return {
      channel: pluginUnderTest(syslog).notificationChannel('syslog', {}, { address: `syslog+tcp://127.0.0.1:${port}` }),
      // Frames as RFC 6587 counts them; what comes together is told apart by their heads.
      received: () => lines.join('').match(/\d+ <\d+>1 [\s\S]*?(?=\d+ <\d+>1 |$)/g) ?? [],
      behave: () => undefined,
      async close() {
        server.close();
        for (const socket of sockets) socket.destroy();
      },
    };
  },
});
