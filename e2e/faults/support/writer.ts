import type { Answer, Api } from '../../support/api.ts';
import { GONE, type KnownHost, type Oracle, type Write } from './oracle.ts';
import type { Random } from './random.ts';

const ACCOUNT = 'crm';
const HOSTS = 12;
const BULK_HOSTS = 40;

export interface WriterOptions {
  /** Hosts of this writer begin with it; nobody else writes them. */
  readonly name: string;
  readonly random: Random;
  readonly oracle: Oracle;
  /** A bulk write is one unit, as in SQLite. */
  readonly isBulkOneUnit: boolean;
  /** What was refused may have been done all the same, as where only the answer of a database was lost. The writer stops there. */
  readonly isRefusalUncertain?: boolean;
}

/** A client that writes hosts in every way that there is, one write after the other. */
export class Writer {
  readonly #options: WriterOptions;
  readonly #hosts: readonly string[];
  readonly #bulkHosts: readonly string[];
  #number = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#hosts = Array.from({ length: HOSTS }, (_, index) => `${options.name}-${index}`);
    this.#bulkHosts = Array.from({ length: BULK_HOSTS }, (_, index) => `${options.name}-bulk-${index}`);
  }

  /** Until `isOver` or until the service no longer answers. Answers what the service refused. */
  async run(api: Api, isOver: () => boolean, onRefusal: () => void = () => {}): Promise<Answer[]> {
    const refused: Answer[] = [];
    while (!isOver()) {
      const { write, send } = this.#next(api);
      this.#options.oracle.sent(write);
      let answer: Answer;
      try {
        answer = await send();
      } catch {
        break;
      }
      if (answer.status === 200) this.#options.oracle.answered(write, answer.headers['x-request-id'] ?? '');
      else {
        refused.push(answer);
        onRefusal();
        if (this.#options.isRefusalUncertain) break;
        this.#options.oracle.refused(write);
      }
    }
    return refused;
  }

  #next(api: Api): { readonly write: Write; readonly send: () => Promise<Answer> } {
    const { random, oracle, isBulkOneUnit } = this.#options;
    const hostname = random.one(this.#hosts);
    const host = oracle.known(hostname);
    const path = `/objects/${hostname}`;
    const one = (after: KnownHost): Write => ({ after: new Map([[hostname, after]]), isOneUnit: true });
    const kind = random.below(20);
    if (kind === 0) {
      const labels = this.#members();
      const active = (known: KnownHost): KnownHost => ({ ...known, state: 'active', labels });
      return {
        write: {
          after: new Map(this.#bulkHosts.map((name) => [name, active(oracle.known(name))])),
          isOneUnit: isBulkOneUnit,
        },
        send: () => {
          const objects = this.#bulkHosts.map((name) => ({ hostname: name, labels }));
          return api.post('/objects/bulk', { account: ACCOUNT, objects });
        },
      };
    }
    if (kind < 6 && host.state === 'active') {
      const section = this.#members();
      return {
        write: one({ ...host, inventory: { disk: section } }),
        send: () => api.post(`${path}/inventory`, { key: 'disk', inventory: section }),
      };
    }
    if (kind < 8 && host.state === 'active') {
      return { write: one({ ...host, state: 'archived' }), send: () => api.delete(path) };
    }
    if (kind < 14 && host.state === 'archived') {
      return { write: one(GONE), send: () => api.post('/objects/purge', { hostnames: [hostname] }) };
    }
    const labels = this.#members();
    return {
      write: one({ ...host, state: 'active', labels }),
      send: () => api.post(path, { account: ACCOUNT, labels }),
    };
  }

  /** Members that no other write has; `twin` would differ in a host that was written by half. */
  #members(): Record<string, unknown> {
    const n = ++this.#number;
    return { n, twin: n, text: 'x'.repeat(this.#options.random.below(2_000)) };
  }
}
