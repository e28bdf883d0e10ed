import type { NotificationEvent } from '../../../ports/index.ts';

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
