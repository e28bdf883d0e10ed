import { appendFile } from 'node:fs/promises';
import { type BalancingProxy, balancingProxy } from '../../../test/support/balancing-proxy.ts';
import { RunningService } from '../../support/running-service.ts';
import type { Workplace } from '../../support/workplace.ts';
import { NOTES } from './noted-work.ts';

const SHIFTED_CLOCK = new URL('shifted-clock.mjs', import.meta.url).href;

/** A node whose clock is off. */
export function clockOff(milliseconds: number): Record<string, string> {
  return { NODE_OPTIONS: `--import=${SHIFTED_CLOCK}`, MUSTER_TEST_CLOCK_OFF_MS: String(milliseconds) };
}

interface Node {
  readonly environment: Record<string, string>;
  readonly port: string;
  service: RunningService | undefined;
}

/** Nodes on one database with a proxy in front, which sends each request to the next node that is ready. */
export class Cluster {
  readonly place: Workplace;
  readonly #nodes: Node[];
  readonly #proxy: BalancingProxy;
  /** When a node was killed, as `performance.now()`. */
  readonly kills: number[] = [];

  private constructor(place: Workplace, nodes: Node[], proxy: BalancingProxy) {
    this.place = place;
    this.#nodes = nodes;
    this.#proxy = proxy;
  }

  /** A node for each environment. The first one is there before the others, as it makes the tables. */
  static async start(place: Workplace, environments: readonly Record<string, string>[]): Promise<Cluster> {
    const [first, ...others] = environments.map((environment) => async (): Promise<Node> => {
      const service = await RunningService.start(place, environment);
      return { environment, port: new URL(service.url).port, service };
    });
    const nodes = [
      ...(first === undefined ? [] : [await first()]),
      ...(await Promise.all(others.map((start) => start()))),
    ];
    const proxy = await balancingProxy(nodes.map(({ service }) => service?.url ?? ''));
    return new Cluster(place, nodes, proxy);
  }

  /** The address of the proxy. */
  get url(): string {
    return this.#proxy.url;
  }

  /** The places of the nodes that run. */
  get running(): readonly number[] {
    return [...this.#nodes.keys()].filter((index) => this.#nodes[index]?.service !== undefined);
  }

  /** The place of the node that is this process. */
  placeOf(pid: string | undefined): number | undefined {
    return this.running.find((index) => String(this.#node(index).service?.pid) === pid);
  }

  /** The address of a node itself. */
  urlOf(index: number): string {
    return this.#node(index).service?.url ?? '';
  }

  /** As its machine would lose it. Notes that it happens, so that others may take over what it did. */
  async kill(index: number): Promise<void> {
    const node = this.#node(index);
    const { service } = node;
    if (service === undefined) return;
    node.service = undefined;
    await appendFile(this.place.path(NOTES), `kill - ${service.pid}\n`);
    await service.kill();
    this.kills.push(performance.now());
  }

  /** In good order, as an upgrade does. Answers its exit code. */
  async stop(index: number): Promise<number | null> {
    const node = this.#node(index);
    const code = (await node.service?.stop()) ?? null;
    node.service = undefined;
    return code;
  }

  /** Starts it again where it was. */
  async begin(index: number): Promise<void> {
    const node = this.#node(index);
    node.service = await RunningService.start(this.place, { ...node.environment, SERVICE_HTTP_PORT: node.port });
  }

  async close(): Promise<void> {
    await this.#proxy.close();
    await Promise.all(this.#nodes.map(({ service }) => service?.kill()));
  }

  #node(index: number): Node {
    const node = this.#nodes[index];
    if (node === undefined) throw new Error(`there is no node ${index}`);
    return node;
  }
}
