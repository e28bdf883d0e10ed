import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { sendLine } from '../../../src/adapters/audit-sinks/syslog.ts';
import chat from '../../../src/plugins/chat/index.ts';
import { sendMail } from '../../../src/plugins/mail/client.ts';
import mail from '../../../src/plugins/mail/index.ts';
import { mailOptions } from '../../../src/plugins/mail/options.ts';
import syslog from '../../../src/plugins/syslog/index.ts';
import webhook from '../../../src/plugins/webhook/index.ts';
import type { Logger, Notification, Plugin } from '../../../src/ports/index.ts';
import { type AnsweringServer, answeringServer } from '../../../src/testing/faulty-server.ts';
import { pluginUnderTest } from '../../../src/testing.ts';
import { authority } from '../../support/certificates.ts';
import { type SmtpSink, smtpSink } from './smtp-sink.ts';

const CONTEXT = { signal: new AbortController().signal };
const NOTIFICATION: Notification = {
  id: '65a1b2c3d4e5f60718293a4b',
  event: 'run_failed',
  subject: 'crm',
  title: 'Import of crm failed: <!channel> @all\r\nBcc: evil@example.org',
  text: 'line 3 [is](http://evil.example.org) wrong',
  at: '2026-11-26T10:00:00.000Z',
  rule: 'ops',
  link: 'https://muster.example.org/admin/runs',
};

const channel = (plugin: Plugin<undefined>, type: string, options: Record<string, string>, account: object = {}) =>
  pluginUnderTest(plugin).notificationChannel(type, options, account);

describe('mail', () => {
  let sink: SmtpSink;
  beforeEach(async () => {
    sink = await smtpSink();
  });
  afterEach(() => sink.close());

  const options = { from: 'muster@example.org', to: 'ops@example.org,ada@example.org' };

  it('goes out as one text to all, with the id of the notification and no header of data', async () => {
    const account = { address: sink.address, username: 'muster', password: 's3cret' };
    const open = channel(mail, 'mail', { ...options, allow_unencrypted: 'true' }, account);
    expect(await open.check?.(CONTEXT)).toBe('127.0.0.1 as muster');
    await open.send(NOTIFICATION, CONTEXT);
    expect(sink.logins[0]).toBe('\0muster\0s3cret');
    const [text = ''] = sink.mails;
    expect(text).toContain(`Message-ID: <${NOTIFICATION.id}@example.org>`);
    expect(text).toContain('To: ops@example.org, ada@example.org');
    expect(text.slice(0, text.indexOf('\r\n\r\n'))).not.toMatch(/^Bcc:/m);
    expect(text).toContain('https://muster.example.org/admin/runs');
  });

  it('is sent once when the server refuses some of its receivers, which the log names', async () => {
    sink.refuseFor = ['ada@example.org'];
    const logger: Logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn(), child: () => logger };
    const account = {
      options: mailOptions().parse({ ...options, allow_unencrypted: 'true' }),
      account: { name: 'ops-mail', address: sink.address, username: '', password: '' },
      logger,
    };
    await sendMail(account, NOTIFICATION, CONTEXT);
    expect(sink.mails).toHaveLength(1);
    const refused = { refused: ['ada@example.org'] };
    expect(logger.warn).toHaveBeenCalledExactlyOnceWith('a mail server refused some recipients of a mail', refused);
    sink.refuseFor = ['ops@example.org', 'ada@example.org'];
    await expect(sendMail(account, NOTIFICATION, CONTEXT)).rejects.toThrow('recipients were rejected');
    expect(sink.mails).toHaveLength(1);
  });

  it('goes over TLS where the certificate is that of an authority that is known, and nowhere else', async () => {
    const trusted = await authority();
    const secure = await smtpSink(await trusted.issue('IP:127.0.0.1'));
    onTestFinished(async () => {
      await secure.close();
      await trusted.close();
    });
    const account = { address: secure.address, username: 'muster', password: 's3cret' };
    await expect(channel(mail, 'mail', options, account).send(NOTIFICATION, CONTEXT)).rejects.toThrow('certificate');
    expect(secure.logins).toEqual([]);
    await channel(mail, 'mail', { ...options, verify_cert: 'false' }, account).send(NOTIFICATION, CONTEXT);
    expect(secure.mails).toHaveLength(1);
  });

  it('is refused in clear unless the account accepts that, and tells what the server said', async () => {
    const account = { address: sink.address, username: 'muster', password: 's3cret' };
    await expect(channel(mail, 'mail', options, account).send(NOTIFICATION, CONTEXT)).rejects.toThrow(
      'did not take it',
    );
    expect(sink.logins).toEqual([]);
    sink.refuse = true;
    const open = channel(mail, 'mail', { ...options, allow_unencrypted: 'true' }, account);
    await expect(open.send(NOTIFICATION, CONTEXT)).rejects.toThrow('no such user');
    const clouds = { address: 'smtp://[64:ff9b::a9fe:a9fe]:25' };
    await expect(channel(mail, 'mail', options, clouds).send(NOTIFICATION, CONTEXT)).rejects.toThrow('metadata');
    await expect(channel(mail, 'mail', options, { address: 'nowhere' }).send(NOTIFICATION, CONTEXT)).rejects.toThrow(
      'smtp://',
    );
  });
});

describe('over HTTP', () => {
  let server: AnsweringServer;
  let status: number;
  beforeEach(async () => {
    status = 200;
    server = await answeringServer(() => ({ status, body: 'ok' }));
  });
  afterEach(() => server.close());

  it('a webhook is signed over time and body', async () => {
    await channel(webhook, 'webhook', { url: `${server.address}/in` }, { password: 'k3y' }).send(NOTIFICATION, CONTEXT);
    const [{ headers, body, path } = expect.fail('nothing came')] = server.requests;
    expect([path, JSON.parse(body)]).toEqual(['/in', NOTIFICATION]);
    const signed = createHmac('sha256', 'k3y')
      .update(`${String(headers['x-timestamp'])}.${body}`)
      .digest('hex');
    expect(headers).toMatchObject({ 'x-signature-sha256': `sha256=${signed}`, 'idempotency-key': NOTIFICATION.id });
  });

  it.each(['slack', 'mattermost', 'teams'])(
    '%s gets its shape, in which data mentions nobody and links nowhere',
    async (type) => {
      await channel(chat, type, { webhook_url: `${server.address}/services/T0/s3cret?key=other` }).send(
        NOTIFICATION,
        CONTEXT,
      );
      const [{ body, path } = expect.fail('nothing came')] = server.requests;
      expect(path).toBe('/services/T0/s3cret?key=other');
      expect(body).toContain(NOTIFICATION.link);
      expect(body).not.toContain('<!channel>');
      expect(body.replaceAll(String(NOTIFICATION.link), '').replaceAll(/http:\/\/adaptivecards[^"]*/g, '')).not.toMatch(
        /:\/\/|www\./,
      );
      if (type !== 'slack') expect(body).not.toMatch(/@all|\]\(http:\/\/evil/);
      expect(JSON.parse(body)).toMatchObject(
        type === 'teams' ? { type: 'message', attachments: [{}] } : { text: expect.stringContaining('Import of crm') },
      );
    },
  );

  it('says what a receiver answers, without the secret in its address', async () => {
    status = 410;
    const open = channel(chat, 'slack', { webhook_url: `${server.address}/services/T0/s3cret` });
    const error = await open.send(NOTIFICATION, CONTEXT).then(
      () => expect.fail('it was sent'),
      (thrown: Error) => thrown,
    );
    expect(error.message).toContain('answers 410');
    expect(error.message).not.toContain('s3cret');
    await expect(channel(webhook, 'webhook', { url: server.address }).send(NOTIFICATION, CONTEXT)).rejects.toThrow(
      '410',
    );
  });
});

it('syslog gets a line of JSON by TCP', async () => {
  const lines: string[] = [];
  const server = createServer((socket) => socket.on('data', (chunk: Buffer) => lines.push(chunk.toString())));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const open = pluginUnderTest(syslog).notificationChannel('syslog', {}, { address: `syslog+tcp://127.0.0.1:${port}` });
  await open.send(NOTIFICATION, CONTEXT);
  await expect.poll(() => lines.join('')).toMatch(/^\d+ <131>1 .* muster \d+ notification - \ufeff\{"id":"65a1/);
  server.close();
  await expect(sendLine({ address: 'http://x', severity: 'notice', text: '' })).rejects.toThrow('syslog://');
});
