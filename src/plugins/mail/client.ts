import { connect, type Socket } from 'node:net';
import { createTransport, type Transporter } from 'nodemailer';
import { checkedLookup, requireAllowedHost } from '../../kit/names/addresses.ts';
import { AppError } from '../../ports/errors.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Notification, NotificationContext } from '../../ports/notification-channel.ts';
import type { SourceAccount } from '../../ports/source.ts';
import { mailOf } from './map.ts';
import type { MailOptions } from './options.ts';

export interface MailAccount {
  readonly options: MailOptions;
  readonly account: SourceAccount;
  readonly logger: Logger;
}

export async function sendMail(
  mail: MailAccount,
  notification: Notification,
  context: NotificationContext,
): Promise<void> {
  await withServer(mail, context, async (transport) => {
    const sent: unknown = await transport.sendMail(mailOf(mail.options, notification));
    const { rejected = [] } = sent as { readonly rejected?: readonly unknown[] };
    // The others have it, and another attempt would send it to them again. If all are refused, it throws.
    if (rejected.length > 0)
      mail.logger.warn('a mail server refused some recipients of a mail', { refused: rejected.map(String) });
  });
}

export async function checkMail(mail: MailAccount, context: NotificationContext): Promise<string> {
  const { host, username } = serverOf(mail);
  await withServer(mail, context, async (transport) => {
    await transport.verify();
  });
  return `${host}${username === '' ? '' : ` as ${username}`}`;
}

async function withServer(
  mail: MailAccount,
  { signal }: NotificationContext,
  work: (transport: Transporter) => Promise<void>,
): Promise<void> {
  const { host, port, secure, username } = serverOf(mail);
  const { options, account } = mail;
  signal.throwIfAborted();
  await requireAllowedHost(host);
  const milliseconds = options.timeout * 1000;
  let line: Socket | undefined;
  const transport = createTransport({
    host,
    port,
    secure,
    requireTLS: !options.allow_unencrypted,
    tls: { rejectUnauthorized: options.verify_cert },
    ...(username === '' ? {} : { auth: { user: username, pass: account.password } }),
    connectionTimeout: milliseconds,
    greetingTimeout: milliseconds,
    socketTimeout: milliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
    // A line of our own: closing a transport leaves what is under way alone.
    getSocket(_options, done) {
      const socket = connect({ host, port, timeout: milliseconds, lookup: checkedLookup });
      line = socket;
      const failed = (error: Error): void => done(error, undefined);
      socket.once('error', failed);
      socket.once('timeout', () => socket.destroy(new Error('no connection in time')));
      socket.once('connect', () => {
        socket.off('error', failed);
        socket.setTimeout(0);
        done(null, { connection: socket });
      });
    },
  });
  const stop = (): void => {
    line?.destroy(new Error('called off'));
    transport.close();
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    await work(transport);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('failed', `the mail server ${host}:${port} did not take it: ${reason}`, { cause });
  } finally {
    signal.removeEventListener('abort', stop);
    transport.close();
  }
}

interface Server {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte on. */
  readonly secure: boolean;
  readonly username: string;
}

function serverOf({ account: { address, username } }: MailAccount): Server {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new AppError(
      'invalid_input',
      'the address must be that of a mail server: smtp://mail.example.org:587 or smtps://mail.example.org',
    );
  }
  const secure = url.protocol === 'smtps:';
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    username,
  };
}
