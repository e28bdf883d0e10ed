import type { Notification, NotificationEvent } from '../../../ports/index.ts';

/** Something that a rule for notifications may report. */
export interface Happening {
  /** The same whenever it is noticed. */
  readonly id: string;
  readonly event: NotificationEvent;
  readonly subject: string;
  readonly title: string;
  readonly text: string;
  readonly at: Date;
  /** Path of the page that shows it, below the address of the service. */
  readonly page: string;
  /** `source_silent`: for how many hours. */
  readonly silentHours?: number;
}

/** The last look for what happened. */
export interface LastLook {
  readonly at: Date;
  /** Ids of what was under way then: it is reported when it is done, however old it is by then. */
  readonly awaited: readonly string[];
}

export interface News {
  /** Oldest first. */
  readonly happenings: readonly Happening[];
  /** Ids of what is under way now. */
  readonly awaited: readonly string[];
}

/** Makes the notification about a happening; it has a link if the service knows its own address. */
export function notificationOf(
  { id, rule, baseUrl }: { readonly id: string; readonly rule: string; readonly baseUrl: string },
  { event, subject, title, text, at, page }: Omit<Happening, 'id'>,
): Notification {
  const link = baseUrl === '' ? {} : { link: `${baseUrl.replace(/\/+$/, '')}/admin${page}` };
  return { id, event, subject, title, text, at: at.toISOString(), rule, ...link };
}
