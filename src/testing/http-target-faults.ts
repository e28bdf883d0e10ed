import { expect } from 'vitest';
import { FaultyProxy, type Handle, type PassedAnswer, relay, relayWithoutEnd } from './faulty-proxy.ts';
import { type AnsweringServer, type FaultyRequest, faultyServer, send } from './faulty-server.ts';
import type {
  FaultMoment,
  FaultyTargetSystem,
  SystemObject,
  TargetAccountSettings,
  TargetFault,
  TargetFaultHarness,
} from './target-faults.contract.ts';

/** A system over HTTP for one account: a simulator, or a real server with nothing in it. It needs no faults of its own. */
export interface HttpTargetSystem
  extends Pick<FaultyTargetSystem, 'objects' | 'putForeign' | 'change' | 'remove' | 'close'> {
  /** The address for direct access. */
  readonly address: string;
  /** The account for a system at this address. */
  account(address: string): TargetAccountSettings;
}

export interface HttpTargetHarness extends Omit<TargetFaultHarness, 'create'> {
  create(): Promise<HttpTargetSystem>;
  /** Whether a request changes something. Default: every one but GET, HEAD and OPTIONS. */
  isWrite?(request: FaultyRequest): boolean;
  /** The kind of the objects that a request changes. Without it a permission that is missing for one kind is not tried. */
  kindOf?(request: FaultyRequest): string | undefined;
  /** The name by which calls refer to the object of a key, used to refuse it. Default: the key. */
  nameOf?(key: string): string;
  /** How it answers what it does not take. Default: 422 with an `error`. */
  readonly refusal?: { readonly status: number; readonly body: string };
}

/** The faults of a system over HTTP. The suite puts a proxy before the system that has them all. */
export function httpTargetFaults(http: HttpTargetHarness): TargetFaultHarness {
  const { create, isWrite: _, kindOf: __, nameOf: ___, refusal: ____, ...harness } = http;
  return { ...harness, create: async () => ProxiedSystem.before(await create(), http) };
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
const MEGABYTES = 10_000_000;

class ProxiedSystem implements FaultyTargetSystem {
  readonly account: TargetAccountSettings;
  readonly withoutTls: Readonly<Record<string, string>>;
  readonly putForeign?: (kind: string, key: string) => Promise<void>;
  readonly change?: (kind: string, key: string) => Promise<void>;
  readonly remove?: (kind: string, key: string) => Promise<void>;
  readonly #system: HttpTargetSystem;
  readonly #proxy: FaultyProxy;
  /** The server that redirects lead to. */
  readonly #elsewhere: AnsweringServer;
  readonly #http: HttpTargetHarness;
  #happened = 0;
  #isClosed = false;

  private constructor(
    system: HttpTargetSystem,
    proxy: FaultyProxy,
    elsewhere: AnsweringServer,
    http: HttpTargetHarness,
  ) {
    this.#system = system;
    this.#proxy = proxy;
    this.#elsewhere = elsewhere;
    this.#http = http;
    this.account = system.account(proxy.address);
    this.withoutTls = system.account(proxy.address.replace('http:', 'https:')).settings;
    if (system.putForeign !== undefined) this.putForeign = system.putForeign.bind(system);
    if (system.change !== undefined) this.change = system.change.bind(system);
    if (system.remove !== undefined) this.remove = system.remove.bind(system);
  }

  static async before(system: HttpTargetSystem, http: HttpTargetHarness): Promise<ProxiedSystem> {
    const elsewhere = await faultyServer((response) => send(response, { body: '{}' }));
    return new ProxiedSystem(system, await FaultyProxy.before(system.address), elsewhere, http);
  }

  objects(): Promise<readonly SystemObject[]> {
    return this.#system.objects();
  }

  writes(): number {
    return this.#proxy.requests.filter((request) => this.#isWrite(request)).length;
  }

  async fail(fault: TargetFault, moment: FaultMoment): Promise<boolean> {
    this.#happened = 0;
    if (fault === 'refused connection' && moment === 'reading') {
      await this.#proxy.close();
      this.#isClosed = true;
      this.#happened = 1;
      return true;
    }
    const misbehave = fault === 'second part broken' ? this.#secondBroken() : MISBEHAVIOUR[fault];
    if (misbehave === undefined) return false;
    let writes = 0;
    this.#proxy.handle = async (response, request, pass) => {
      if (this.#isWrite(request)) writes++;
      const isMeant =
        moment === 'reading'
          ? !this.#isWrite(request)
          : this.#isWrite(request) && (moment === 'writing' || moment.write === writes);
      if (!isMeant) return relay(response, await pass());
      if (fault !== 'second part broken') this.#happened++;
      await misbehave(response, request, pass, this.#elsewhere.address);
    };
    return true;
  }

  async refuse(what: { readonly kind: string } | { readonly text: string }): Promise<boolean> {
    const {
      kindOf,
      nameOf = (key: string) => key,
      refusal = { status: 422, body: '{"error":"it is not taken"}' },
    } = this.#http;
    if ('kind' in what && kindOf === undefined) return false;
    const answer = 'kind' in what ? { status: 403, body: '{"error":"it is forbidden"}' } : refusal;
    this.#happened = 0;
    this.#proxy.handle = async (response, request, pass) => {
      const isMeant =
        'kind' in what
          ? kindOf?.(request) === what.kind
          : `${request.path} ${request.body}`.includes(nameOf(what.text));
      if (!this.#isWrite(request) || !isMeant) return relay(response, await pass());
      this.#happened++;
      await send(response, answer);
    };
    return true;
  }

  beforeWrite(then: () => Promise<void>): void {
    let isFirst = true;
    this.#proxy.handle = async (response, request, pass) => {
      if (isFirst && this.#isWrite(request)) {
        isFirst = false;
        await then();
      }
      relay(response, await pass());
    };
  }

  async heal(): Promise<number> {
    this.#proxy.handle = undefined;
    if (this.#isClosed) await this.#proxy.listen();
    this.#isClosed = false;
    for (const { headers } of this.#elsewhere.requests) {
      expect([headers.authorization, headers.cookie], 'credentials at another host').toEqual([undefined, undefined]);
    }
    return this.#happened;
  }

  async close(): Promise<void> {
    await Promise.all([this.#proxy.close(), this.#elsewhere.close(), this.#system.close()]);
  }

  #isWrite(request: FaultyRequest): boolean {
    return this.#http.isWrite?.(request) ?? !READING.has(request.method);
  }

  /** Answers the second request, and every repetition of it, with 500. */
  #secondBroken(): Misbehave {
    const keys: string[] = [];
    return async (response, request, pass) => {
      const key = `${request.method} ${request.path} ${request.body}`;
      if (!keys.includes(key)) keys.push(key);
      if (keys[1] !== key) return relay(response, await pass());
      this.#happened++;
      await send(response, { status: 500, headers: AT_ONCE, body: '{}' });
    };
  }
}

/** Lets a client try again without waiting. */
const AT_ONCE = { 'retry-after': '0' };

type Misbehave = (...args: readonly [...Parameters<Handle>, elsewhere: string]) => void | Promise<void>;

function answers(status: number, headers: Readonly<Record<string, string>> = {}): Misbehave {
  return (response) => send(response, { status, headers, body: '{"error":"no"}' });
}

/** Does what is asked and answers something else. */
function passing(answer: (response: Parameters<Handle>[0], passed: PassedAnswer) => void | Promise<void>): Misbehave {
  return async (response, _, pass) => answer(response, await pass());
}

const MISBEHAVIOUR: Readonly<Partial<Record<TargetFault, Misbehave>>> = {
  'refused connection': (response) => void response.destroy(),
  'login refused': answers(401, { 'www-authenticate': 'Basic realm="objects"' }),
  'right missing': answers(403),
  'too many requests': answers(429, { 'retry-after': '3600' }),
  'server error': answers(500, AT_ONCE),
  'cut off': passing((response, { status, body }) => {
    const length = Math.max(Buffer.byteLength(body), 2);
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': length });
    response.write(body.slice(0, Math.floor(body.length / 2)) || '{', () => response.destroy());
  }),
  'invalid text': passing((response, { status, body }) => {
    const middle = Math.floor(body.length / 2);
    return send(response, { status: isEmpty(status) ? 200 : status, body: `${body.slice(0, middle)}\u0000}{]` });
  }),
  'empty answer': passing((response) => send(response, { body: '' })),
  'large answer': passing((response, { status, headers, body }) =>
    relay(response, { status, headers, body: body + ' '.repeat(MEGABYTES) }),
  ),
  'answer without end': passing((response, passed) =>
    relayWithoutEnd(response, { ...passed, status: isEmpty(passed.status) ? 200 : passed.status }),
  ),
  'redirect to another host': (response, { path }, _, elsewhere) =>
    send(response, { status: 302, headers: { location: `${elsewhere}${path}` }, body: '' }),
  'lost answer': passing((response) => void response.destroy()),
  'slow answers': async (response, _, pass) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    relay(response, await pass());
  },
};

/** Such an answer has no body. */
function isEmpty(status: number): boolean {
  return status === 204 || status === 304;
}
