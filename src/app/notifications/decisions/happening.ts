import type { NotificationEvent } from '../../../ports/index.ts';

/** Something that a rule may tell of. */
export interface Happening {
  /** The same whenever it is noticed. */
  readonly id: string;
  readonly event: NotificationEvent;
  readonly subject: string;
  readonly title: string;
  readonly text: string;
  readonly at: Date;
  /** Where pages show it, below the address of the service. */
  readonly page: string;
  /** `source_silent`: for how many hours. */
  readonly silentHours?: number;
}
