import { isDeepStrictEqual } from 'node:util';
import type { Api } from '../../support/api.ts';

/** What clients know of a host. */
export interface KnownHost {
  readonly state: 'gone' | 'active' | 'archived';
  readonly labels: object;
  readonly inventory: object;
}

const AT_ONCE = 8;

export const GONE: KnownHost = { state: 'gone', labels: {}, inventory: {} };

/** A write that was sent: what each of its hosts is once it is done. */
export interface Write {
  readonly after: ReadonlyMap<string, KnownHost>;
  /** All of its hosts are written, or none. Otherwise this is promised of each host by itself. */
  readonly isOneUnit: boolean;
}

export interface AcknowledgedRequest {
  readonly id: string;
  /** Milliseconds of `performance.now`. */
  readonly at: number;
}

/**
 * Remembers what was acknowledged, and finds what a service that died lost, made up or did by half. A host has one writer at a time, so
 * it is what was acknowledged last, or, where the service died before its answer, what was sent.
 */
export class Oracle {
  readonly #hosts = new Map<string, KnownHost>();
  readonly #unanswered = new Set<Write>();
  readonly #touched = new Set<string>();
  readonly #requests: AcknowledgedRequest[] = [];
  acknowledged = 0;
  unanswered = 0;

  /** Those acknowledged since they were taken last. */
  takeRequests(): readonly AcknowledgedRequest[] {
    return this.#requests.splice(0);
  }

  known(hostname: string): KnownHost {
    return this.#hosts.get(hostname) ?? GONE;
  }

  names(): string[] {
    return [...this.#hosts.keys()];
  }

  /** Looked at with the next differences, whether it was written or not. */
  look(hostname: string): void {
    this.#touched.add(hostname);
  }

  sent(write: Write): void {
    this.#unanswered.add(write);
    for (const hostname of write.after.keys()) this.#touched.add(hostname);
  }

  answered(write: Write, requestId: string): void {
    this.#requests.push({ id: requestId, at: performance.now() });
    this.#unanswered.delete(write);
    this.acknowledged++;
    for (const [hostname, host] of write.after) this.#hosts.set(hostname, host);
  }

  /** It was refused, so it must not have been done. */
  refused(write: Write): void {
    this.#unanswered.delete(write);
  }

  /**
   * What is wrong with the hosts that were written since the last look, and with their history; learns which unanswered writes were
   * done.
   */
  async differences(api: Api): Promise<string[]> {
    const wrong: string[] = [];
    const hostnames = [...this.#touched];
    const found = await eachOf(hostnames, (hostname) => hostIn(api, hostname));
    const unanswered = new Map<string, Write>();
    for (const write of this.#unanswered) for (const hostname of write.after.keys()) unanswered.set(hostname, write);
    const done = new Map<Write, Set<boolean>>();
    for (const [index, hostname] of hostnames.entries()) {
      const host = found[index];
      const before = this.known(hostname);
      const write = unanswered.get(hostname);
      const after = write?.after.get(hostname);
      const isBefore = isSeenAs(host, before);
      const isAfter = after !== undefined && isSeenAs(host, after);
      if (!isBefore && !isAfter) {
        const expected = [before, ...(after === undefined ? [] : [after])]
          .map((each) => JSON.stringify(each))
          .join(' or ');
        wrong.push(`${hostname} is ${JSON.stringify(host)}, and not ${expected}`);
      }
      if (write === undefined || after === undefined) continue;
      if (isAfter) this.#hosts.set(hostname, after);
      // Nobody sees whether a host was deleted for good or is still in the archive, and later writes tell the difference.
      if (isBefore && isAfter && after.state === 'gone') await purge(api, hostname);
      if (isBefore !== isAfter) done.set(write, (done.get(write) ?? new Set()).add(isAfter));
    }
    for (const [write, outcomes] of done) {
      if (write.isOneUnit && outcomes.size > 1) wrong.push(`only a part was written of ${[...write.after.keys()]}`);
    }
    this.unanswered += this.#unanswered.size;
    this.#touched.clear();
    this.#unanswered.clear();
    return [...wrong, ...(await this.#historyDifferences(api, hostnames))];
  }

  /** What is wrong with the history of hosts: each change goes on from the one before, and the last one leads to what the host has. */
  async #historyDifferences(api: Api, hostnames: readonly string[]): Promise<string[]> {
    const wrong: string[] = [];
    const active = hostnames.filter((hostname) => this.known(hostname).state === 'active');
    const histories = await eachOf(active, (hostname) => api.get(`/objects/${hostname}/history?limit=1000`));
    for (const [index, hostname] of active.entries()) {
      let expected = (this.known(hostname).labels as { readonly n?: number }).n;
      const changes = histories[index]?.body.changes as HistoryEntry[];
      for (const { path, before, after } of changes.flatMap((each) => each.changes)) {
        if (path !== 'labels.n') continue;
        if (after !== expected)
          wrong.push(`a change of ${hostname} ends with ${after}, and it goes on with ${expected}`);
        expected = before;
      }
    }
    return wrong;
  }
}

/** Some at once, answered in the order of the names. */
async function eachOf<T>(names: readonly string[], ask: (name: string) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (let start = 0; start < names.length; start += AT_ONCE) {
    answers.push(...(await Promise.all(names.slice(start, start + AT_ONCE).map(ask))));
  }
  return answers;
}

interface HistoryEntry {
  readonly changes: readonly { readonly path: string; readonly before?: number; readonly after?: number }[];
}

/** `undefined` for a host that is not shown. */
async function hostIn(api: Api, hostname: string): Promise<Pick<KnownHost, 'labels' | 'inventory'> | undefined> {
  const { status, body, text } = await api.get(`/objects/${hostname}`);
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`${hostname} was answered with ${status}: ${text}`);
  return { labels: body.labels, inventory: body.inventory };
}

async function purge(api: Api, hostname: string): Promise<void> {
  const { status, text } = await api.post('/objects/purge', { hostnames: [hostname] });
  if (status !== 200) throw new Error(`${hostname} cannot be deleted for good: ${text}`);
}

function isSeenAs(found: object | undefined, { state, labels, inventory }: KnownHost): boolean {
  return isDeepStrictEqual(found, state === 'active' ? { labels, inventory } : undefined);
}
