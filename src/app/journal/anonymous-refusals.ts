import { type Said, secondsWording, worded } from '../../kit/worded.ts';
import type { Clock, Logger, Storage } from '../../ports/index.ts';
import type { NewAuditEntry } from '../kernel/audit-entry.ts';
import { appendApiLog } from './api-log.ts';
import type { AuditTrail } from './audit/audit-trail.ts';
import { SummedRefusals } from './summed-refusals.ts';

export interface AnonymousRefusalsDeps {
  readonly storage: Pick<Storage, 'logs'>;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly logger: Logger;
  newId(): string;
}

/** A refused call of the webhook, for the log that operators read. */
export interface RefusedTrigger {
  readonly address: string;
  /** The requested group; absent if there is none of that name, as clients can make up thousands. */
  readonly group: string | undefined;
  readonly message: Said;
  readonly refusal: Said;
}

/** No group has this name. */
const UNKNOWN_GROUPS = '';

/** Records refusals of unknown callers: bounded, and with nothing left out. */
export class AnonymousRefusals {
  readonly #deps: AnonymousRefusalsDeps;
  readonly #audited: SummedRefusals;
  readonly #logged: SummedRefusals;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(deps: AnonymousRefusalsDeps) {
    this.#deps = deps;
    this.#audited = new SummedRefusals({
      write: ({ source, what, count, seconds }) => {
        const [operation = '', entrance = '', outcome = ''] = what.split('\n');
        deps.audit.keep({
          id: deps.newId(),
          at: deps.clock.now(),
          actor: 'anonymous',
          entrance: entrance || 'rest',
          address: source,
          operation,
          subject: '',
          outcome: outcome || 'refused',
          requestId: '',
          details: `${count} more within ${seconds} s`,
        });
      },
    });
    this.#logged = new SummedRefusals({
      write: ({ source, what, count, seconds }) => {
        const times = count === 1 ? worded`1 more time` : worded`${{ count }} more times`;
        const time = secondsWording(seconds);
        this.#append({
          message:
            what === UNKNOWN_GROUPS
              ? worded`Triggers of unknown cron groups were refused ${{ times }} within ${{ time }}`
              : worded`Triggers of cron group ${{ group: what }} were refused ${{ times }} within ${{ time }}`,
          address: source,
          refusal: count === 1 ? worded`1 refusal like those before` : worded`${{ count }} refusals like those before`,
        });
      },
    });
  }

  /** Keeps a refusal in the audit log, by itself or in a sum. */
  audit(entry: NewAuditEntry): void {
    const what = `${placeOf(entry.operation)}\n${entry.entrance}\n${entry.outcome}`;
    if (this.#audited.reports(entry.address, what)) this.#deps.audit.keep(entry);
  }

  /** Writes a refused trigger to the log, by itself or in a sum. */
  async log({ address, group, message, refusal }: RefusedTrigger): Promise<void> {
    if (this.#logged.reports(address, group ?? UNKNOWN_GROUPS))
      await appendApiLog(this.#deps, { message, address, refusal });
  }

  /** Writes what was counted until now. */
  async settled(): Promise<void> {
    this.#audited.flush();
    this.#logged.flush();
    await this.#writing;
    await this.#deps.audit.settled();
  }

  #append(entry: Parameters<typeof appendApiLog>[1]): void {
    this.#writing = Promise.allSettled([this.#writing, appendApiLog(this.#deps, entry)]).then(([, appended]) => {
      if (appended.status === 'rejected') {
        this.#deps.logger.error('refused triggers could not be logged', { error: appended.reason });
      }
    });
  }
}

/** Paths hold names that anybody makes up; their beginning says which entrance it was. */
function placeOf(operation: string): string {
  return operation.startsWith('/') ? operation.split('/', 4).join('/') : operation;
}
