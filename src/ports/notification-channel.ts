import type * as z from 'zod';
import type { Http } from './http-client.ts';
import type { Logger } from './logger.ts';
import type { AccountField, AccountFieldTitles, SourceAccount } from './source.ts';

/** The events that notifications report. */
export const NOTIFICATION_EVENTS = [
  'run_failed',
  'run_partial',
  'group_failed',
  'threshold',
  'approval_waiting',
  'rule_failing',
  'source_silent',
  'report',
  'test',
] as const;

export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

/** The message that a receiver gets. It holds no secret of an account. */
export interface Notification {
  /** The same each time that it is sent, so that a receiver knows a second one of it. */
  readonly id: string;
  readonly event: NotificationEvent;
  /** The subject of the message: an account, a cron group, a rule. */
  readonly subject: string;
  /** One line. */
  readonly title: string;
  /** More of it; empty when the title says it all. */
  readonly text: string;
  /** When it happened, ISO 8601. */
  readonly at: string;
  /** The name of the rule that sends it. */
  readonly rule: string;
  /** Link to the page that shows it; absent if the service does not know its own address. */
  readonly link?: string;
  /** A file that belongs to it, such as a report as CSV; a channel that sends no files leaves it out. */
  readonly attachment?: { readonly name: string; readonly mediaType: string; readonly text: string };
}

/** A line of a log, for a place that collects those of many programs. */
export interface SyslogLine {
  /** `syslog://host:port` (UDP), `syslog+tcp://…` or `syslog+tls://…`. */
  readonly address: string;
  readonly severity: 'error' | 'warning' | 'notice';
  readonly text: string;
}

export interface NotificationServices {
  readonly logger: Logger;
  readonly http: Http;
  /** Resolves once the line was handed over, as far as that can be determined. */
  syslog(line: SyslogLine): Promise<void>;
}

export interface NotificationContext {
  /** Ends whatever is under way. */
  readonly signal: AbortSignal;
}

/** A way to receivers, opened for one account. */
export interface NotificationChannel {
  /**
   * Resolves when the receiver has it. Must throw when that is not certain: it is sent again then, with the same id. Messages hold no secret. It must not try again by
   * itself: the outbox does.
   */
  send(notification: Notification, context: NotificationContext): Promise<void>;

  /** Connects, sends nothing, and says in one sentence to what and as whom. Throws when it could not. */
  check?(context: NotificationContext): Promise<string>;
}

/** A type of accounts that notifications are sent through. */
export interface NotificationChannelType<Options = unknown> {
  /** The account type, `mail`. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The options of an account of this type. A strict object; options come as text. */
  readonly options: z.ZodType<Options>;
  /** See `SourceType`. */
  readonly unusedFields?: readonly AccountField[];
  /** See `SourceType`. */
  readonly fieldTitles?: AccountFieldTitles;
  /** Set if sending needs the address of the account: an example of one. No account is saved without it. */
  readonly neededAddress?: string;
  /** Must not connect. Throws `AppError('invalid_input')` for an account that lacks something. */
  open(options: Options, account: SourceAccount, services: NotificationServices): NotificationChannel;
}
