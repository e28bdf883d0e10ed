import type { HostRecord, HostScope } from '../../ports/index.ts';
import { inScope } from '../hosts/decisions/scope.ts';
import type { RenderMode } from '../inventory/render.ts';
import { type ServedHost, servedHost } from '../inventory/served-host.ts';
import type { PreviewProgram } from '../rules/engine/program-input.ts';
import type { EarlierHosts } from './earlier-hosts.ts';
import { isSame, type TimeDifference } from './time-difference.ts';

export interface ComparedTimes {
  readonly now: PreviewProgram;
  /** The same program if no rule changed. */
  readonly earlier: PreviewProgram;
  readonly hosts: EarlierHosts;
  readonly scope: HostScope;
  readonly render: RenderMode;
  /** Groups that rules give a host in addition to those of its variables. */
  groupsOf(host: HostRecord): readonly string[];
}

/** Compares stored hosts, and then the hosts of pasted lists, under the rules of two times. */
export class TimeComparison {
  readonly #times: ComparedTimes;
  readonly #difference: TimeDifference;
  /** Names of rows, which belong to no account: who is restricted sees none. */
  readonly #rows: { readonly now: ReadonlySet<string>; readonly earlier: ReadonlySet<string> };

  /** Names of rows that are also those of stored hosts already seen. */
  readonly #seen = new Set<string>();

  constructor(times: ComparedTimes, difference: TimeDifference) {
    this.#times = times;
    this.#difference = difference;
    const rowsOf = (program: PreviewProgram) => new Set(times.scope === null ? program.rowNames : []);
    this.#rows = { now: rowsOf(times.now), earlier: rowsOf(times.earlier) };
  }

  stored(host: HostRecord): void {
    const { now, earlier, hosts, scope } = this.#times;
    const was = hosts.of(host);
    if (was === host && now === earlier) return;
    const reached = was !== undefined && inScope(was, scope) ? was : undefined;
    if (reached !== undefined && reached.hostname !== host.hostname) {
      // To readers of the inventory, a host of another name is another host.
      this.#add(undefined, this.#served('now', host), ['host']);
      this.#add(this.#served('earlier', reached), undefined, ['host']);
      return;
    }
    const after = this.#served('now', host);
    const before = this.#served('earlier', reached);
    if (isSame([before, after])) return;
    this.#add(before, after, now === earlier ? ['host'] : this.#causes([before, this.#served('now', reached), after]));
  }

  /** `between`: the host as it was, under the rules of now. */
  #causes([before, between, after]: readonly (ServedHost | undefined)[]): ('host' | 'rules')[] {
    const byHost = isSame([between, after]) ? [] : (['host'] as const);
    const byRules = isSame([before, between]) ? [] : (['rules'] as const);
    return [...byHost, ...byRules];
  }

  /** Rows of pasted lists, with a name that holds the text, that no stored host has the name of. */
  rows(text: string): void {
    const { now, earlier, render } = this.#times;
    if (now === earlier) return;
    for (const name of new Set([...this.#rows.now, ...this.#rows.earlier])) {
      if (this.#seen.has(name) || !name.toLowerCase().includes(text)) continue;
      const before = servedHost(earlier.evaluateRow(name), [], render);
      const after = servedHost(now.evaluateRow(name), [], render);
      this.#add(before, after, ['rules']);
    }
  }

  #add(before: ServedHost | undefined, after: ServedHost | undefined, by: ('host' | 'rules')[]): void {
    if (!isSame([before, after])) this.#difference.add([before, after], by);
  }

  /** A row replaces a stored host of its name. */
  #served(time: 'now' | 'earlier', host: HostRecord | undefined): ServedHost | undefined {
    if (host === undefined) return undefined;
    const { render, [time]: program } = this.#times;
    const { hostname } = host;
    if (this.#rows.now.has(hostname) || this.#rows.earlier.has(hostname)) this.#seen.add(hostname);
    if (this.#rows[time].has(hostname)) return servedHost(program.evaluateRow(hostname), [], render);
    if (host.archive !== null) return undefined;
    return servedHost(program.evaluate(host), this.#times.groupsOf(host), render);
  }
}
