import type { Logger } from '../../ports/index.ts';

/** How many names one line of the log holds. */
const NAMED = 20;
/** Names that are remembered during one rendering; what is beyond is counted. */
const REMEMBERED = 1_000;

interface Withheld {
  hosts: number;
  readonly example: string;
  readonly reason: string;
}

/**
 * Collects what one rendering does not serve, and reports it once at the end and by name, so that nothing disappears silently.
 */
export class LeftOut {
  readonly #logger: Logger;
  readonly #hosts = new Map<string, string>();
  readonly #groups = new Map<string, string>();
  readonly #variables = new Map<string, Withheld>();
  readonly #collisions = new Map<string, string>();
  #furtherHosts = 0;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  host(name: string, reason: string): void {
    if (this.#hosts.size < REMEMBERED) this.#hosts.set(name, reason);
    else this.#furtherHosts++;
  }

  group(name: string, reason: string): void {
    if (this.#groups.size < REMEMBERED) this.#groups.set(name, reason);
  }

  variable(name: string, hostname: string, reason: string): void {
    const known = this.#variables.get(name);
    if (known !== undefined) known.hosts++;
    else if (this.#variables.size < REMEMBERED) this.#variables.set(name, { hosts: 1, example: hostname, reason });
  }

  /** A name of which nothing is served, because `kept` became the same. */
  collision(kind: 'group' | 'variable', name: string, served: string, kept: string): void {
    if (this.#collisions.size >= REMEMBERED) return;
    this.#collisions.set(
      `${kind} ${name}`,
      `${JSON.stringify(kept)} is ${JSON.stringify(served)} too, and is served in its place`,
    );
  }

  /** Names that became one, hosts and groups that cannot be served, each with the reason. */
  findings(): readonly { readonly name: string; readonly reason: string }[] {
    const named = (kind: string, found: ReadonlyMap<string, string>) =>
      [...found].map(([name, reason]) => ({ name: `${kind}${name}`, reason }));
    return [...named('', this.#collisions), ...named('host ', this.#hosts), ...named('group ', this.#groups)];
  }

  report(): void {
    if (this.#collisions.size > 0) {
      this.#logger.warn('names become one when they are made safe; one of them is served, and nothing is merged', {
        names: firstOf(this.#collisions),
        count: this.#collisions.size,
      });
    }
    if (this.#hosts.size > 0) {
      this.#logger.warn('hosts are left out of the inventory; give them other names', {
        hosts: firstOf(this.#hosts),
        count: this.#hosts.size + this.#furtherHosts,
      });
    }
    if (this.#groups.size > 0) {
      this.#logger.warn('groups are left out of the inventory; their hosts are served', {
        groups: firstOf(this.#groups),
        count: this.#groups.size,
      });
    }
    if (this.#variables.size > 0) {
      const said = [...this.#variables].map(
        ([name, { hosts, example, reason }]) =>
          [name, `${hosts === 1 ? example : `${hosts} hosts, such as ${example}`}: ${reason}`] as const,
      );
      this.#logger.warn('variables are left out of the inventory', { variables: firstOf(said), count: said.length });
    }
  }
}

function firstOf(entries: Iterable<readonly [string, string]>): Record<string, string> {
  return Object.fromEntries([...entries].slice(0, NAMED));
}
