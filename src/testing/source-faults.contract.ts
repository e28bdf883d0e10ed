import { describe, expect, it } from 'vitest';
import { AppError, type Source, type Wording } from '../ports/index.ts';
import {
  type AnsweringServer,
  drained,
  type FaultyRequest,
  faultyServer,
  type SystemAnswer,
  send,
  wholeText,
} from './faulty-server.ts';

/** Faults of systems, by their names in tests. */
export type SourceFault =
  | 'refused connection'
  | 'TLS error'
  | 'login refused'
  | 'right missing'
  | 'too many requests'
  | 'second part broken'
  | 'cut off'
  | 'invalid text'
  | 'empty answer'
  | 'half of the records'
  | 'duplicate names'
  | 'record of 10 MB'
  | 'redirect to another host'
  | 'answer without end'
  | 'many records';

/** The result of a run over a source. */
export interface SourceOutcome {
  readonly status: 'done' | 'partial' | 'failed';
  /** The reported error, or the gaps. */
  readonly message: string;
  /** Names of the records that came, in their order. */
  readonly hostnames: readonly string[];
  /** Names of hosts that were archived, where the harness imports. */
  readonly archived?: readonly string[];
}

/** A source with a fault, for one test. */
export interface FaultySource {
  readonly source: Source;
  /** Names of the records that the system has, without the fault. */
  readonly hostnames: readonly string[];
  /** Looks at the system after the run. */
  after?(): void | Promise<void>;
  close?(): Promise<void>;
}

export interface SourceFaultHarness {
  /** A source whose system has this fault. `undefined`: it cannot have it, which the tests name. */
  make(fault: SourceFault): Promise<FaultySource | undefined>;
  /** Runs the source as users do; without it, it is read and nothing else. */
  run?(source: Source): Promise<SourceOutcome>;
  /** Texts that no message may hold. */
  readonly secrets?: readonly string[];
  /** How many records are many. Default a million. */
  readonly many?: number;
}

/** With these faults a run is never done: what seems missing may be in what could not be read. */
const NEVER_DONE: readonly SourceFault[] = [
  'refused connection',
  'TLS error',
  'login refused',
  'right missing',
  'too many requests',
  'second part broken',
  'cut off',
  'invalid text',
  'empty answer',
  'redirect to another host',
  'answer without end',
];

const LONG = 180_000;
/** While the second half of many records is read, memory may grow by what garbage waits to be collected. */
const MOST_GROWTH = 96 * 1024 * 1024;

/**
 * Tests all faults of systems with one source. Whatever the fault: incomplete data is never taken for the whole, and the message
 * says what to do.
 */
export function describeSourceFaults(name: string, harness: SourceFaultHarness): void {
  describe(`${name}: faults`, () => {
    for (const fault of NEVER_DONE) {
      test(harness, fault, async (faulty) => {
        const outcome = await outcomeOf(harness, faulty);
        expect(outcome.status, `${fault} is no complete run`).not.toBe('done');
        expect(outcome.archived ?? []).toEqual([]);
        expectHelp(outcome.message, harness.secrets);
        await faulty.after?.();
      });
    }

    test(harness, 'half of the records', async (faulty) => {
      const { status, archived = [], message } = await outcomeOf(harness, faulty);
      expect(archived).toEqual([]);
      if (status !== 'done') expectHelp(message, harness.secrets);
    });

    test(harness, 'duplicate names', async (faulty) => {
      const { status, hostnames, archived = [] } = await outcomeOf(harness, faulty);
      expect(status).toBe('done');
      expect(archived).toEqual([]);
      expect([...new Set(hostnames)].sort()).toEqual([...faulty.hostnames].sort());
    });

    test(harness, 'record of 10 MB', async (faulty) => {
      const { status, hostnames, archived = [], message } = await outcomeOf(harness, faulty);
      expect(archived).toEqual([]);
      if (status === 'failed') expectHelp(message, harness.secrets);
      else expect(hostnames).toEqual(expect.arrayContaining([...faulty.hostnames]));
    });

    test(harness, 'many records', async ({ source, hostnames }) => {
      const count = hostnames.length;
      const signal = new AbortController().signal;
      let seen = 0;
      let half = 0;
      let most = 0;
      for await (const batch of source.read({ signal, progress: () => undefined })) {
        for (const item of batch) if (item.kind === 'record') seen++;
        const { rss } = process.memoryUsage();
        if (seen * 2 < count) half = Math.max(half, rss);
        else most = Math.max(most, rss);
      }
      expect(seen).toBe(count);
      expect(most - half, 'bytes that memory grew by while the second half was read').toBeLessThan(MOST_GROWTH);
    });
  });
}

function test(harness: SourceFaultHarness, fault: SourceFault, check: (faulty: FaultySource) => Promise<void>): void {
  it(fault, LONG_TEST, async ({ skip }) => {
    const faulty = await harness.make(fault);
    if (faulty === undefined) return skip('the system cannot have this fault');
    try {
      await check(faulty);
    } finally {
      await faulty.close?.();
    }
  });
}

const LONG_TEST = { timeout: LONG };

/** A sentence that says what is wrong and where; no secret, and nothing that only its programmer understands. */
function expectHelp(message: string, secrets: readonly string[] = []): void {
  expect(message.length, `"${message}" says what is wrong`).toBeGreaterThan(20);
  expect(message).not.toMatch(/\bat \S+:\d+:\d+|\[object Object\]|undefined/);
  for (const secret of secrets) expect(message).not.toContain(secret);
}

async function outcomeOf({ run = readOnly }: SourceFaultHarness, { source }: FaultySource): Promise<SourceOutcome> {
  return run(source);
}

async function readOnly(source: Source): Promise<SourceOutcome> {
  const hostnames: string[] = [];
  const gaps: string[] = [];
  try {
    for await (const batch of source.read({ signal: new AbortController().signal, progress: () => undefined })) {
      for (const item of batch) {
        if (item.kind === 'record') hostnames.push(item.hostname);
        if (item.kind === 'gap') gaps.push(`${englishOf(item.what)}: ${englishOf(item.reason)}`);
      }
    }
  } catch (error) {
    expect(error, 'an error that callers can show').toBeInstanceOf(AppError);
    return { status: 'failed', message: error instanceof AppError ? error.message : '', hostnames };
  }
  return { status: gaps.length > 0 ? 'partial' : 'done', message: gaps.join('; '), hostnames };
}

/** How a source of a system over HTTP shows itself to its faults. The suite brings the server. */
export interface HttpSourceHarness extends Pick<SourceFaultHarness, 'run' | 'secrets' | 'many'> {
  /** The source, opened for one run against a server at this address. It should not be patient: few tries, and no time between them. */
  open(address: string): Source | Promise<Source>;
  /**
   * Returns the system's answer to a request of the source when it has hosts of these names, in the requested pages. A record may
   * have some members more.
   */
  answer(request: FaultyRequest, hosts: readonly SystemHost[]): SystemAnswer;
  /** Whether a request asks for hosts, unlike a login, for example. Default: every request. */
  asksForHosts?(request: FaultyRequest): boolean;
}

export interface SystemHost {
  readonly hostname: string;
  /** A text of any length, for a member of the record. */
  readonly remark?: string;
}

/** Number of hosts that takes several pages, with a source that the harness makes ask for few at once. */
const HOSTS = 25;
const SECOND_HALF = Math.ceil(HOSTS / 2);

/** The faults of a system over HTTP. */
export function httpSourceFaults(http: HttpSourceHarness): SourceFaultHarness {
  const hosts = namedHosts(HOSTS);
  const { run, secrets, many = 1_000_000 } = http;
  return {
    ...(run === undefined ? {} : { run }),
    ...(secrets === undefined ? {} : { secrets }),
    many,
    make: (fault) => faultOf(http, fault, fault === 'many records' ? namedHosts(many) : hosts),
  };
}

function namedHosts(count: number): readonly SystemHost[] {
  return Array.from({ length: count }, (_, index) => ({ hostname: `web${index + 1}.example.org` }));
}

type Misbehave = (
  response: Parameters<Parameters<typeof faultyServer>[0]>[0],
  answer: () => SystemAnswer,
  place: { readonly request: FaultyRequest; readonly asked: number },
) => void | Promise<void>;

async function faultOf(
  http: HttpSourceHarness,
  fault: SourceFault,
  hosts: readonly SystemHost[],
): Promise<FaultySource | undefined> {
  const hostnames = hosts.map(({ hostname }) => hostname);
  const served = async (
    all: readonly SystemHost[],
    misbehave: Misbehave = (response, answer) => send(response, answer()),
  ) => {
    let asked = 0;
    const server = await faultyServer((response, request) => {
      const answer = (): SystemAnswer => http.answer(request, all);
      if (http.asksForHosts?.(request) === false) return send(response, answer());
      asked++;
      return misbehave(response, answer, { request, asked });
    });
    return opened(http, server, hostnames);
  };
  const always = (answer: SystemAnswer) => served(hosts, (response) => send(response, answer));
  switch (fault) {
    case 'refused connection': {
      const server = await faultyServer(() => undefined);
      await server.close();
      return { source: await http.open(server.address), hostnames };
    }
    case 'TLS error': {
      const server = await faultyServer(() => undefined);
      const source = await http.open(server.address.replace('http:', 'https:'));
      return { source, hostnames, close: () => server.close() };
    }
    case 'login refused':
      return always({ status: 401, headers: { 'www-authenticate': 'Basic realm="hosts"' }, body: '{"message":"no"}' });
    case 'right missing':
      return always({ status: 403, body: '{"message":"no"}' });
    case 'too many requests':
      return always({ status: 429, headers: { 'retry-after': '3600' }, body: '{}' });
    case 'second part broken':
      return secondBroken(served, hosts);
    case 'cut off':
      return served(hosts, async (response, answer) => {
        const whole = await wholeText(answer());
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(whole) });
        response.write(whole.slice(0, Math.floor(whole.length / 2)), () => response.destroy());
      });
    case 'invalid text':
      return served(hosts, async (response, answer) => {
        const whole = await wholeText(answer());
        const middle = Math.floor(whole.length / 2);
        await send(response, { body: `${whole.slice(0, middle)}\u0000}{]${whole.slice(middle)}` });
      });
    case 'empty answer':
      return always({ body: '' });
    case 'half of the records':
      return served(hosts.slice(0, HOSTS - SECOND_HALF));
    case 'duplicate names':
      return served([...hosts, ...hosts.slice(0, 3)]);
    case 'record of 10 MB':
      return served([{ hostname: 'large.example.org', remark: 'x'.repeat(10_000_000) }, ...hosts]);
    case 'redirect to another host':
      return redirected(http, hosts, hostnames);
    case 'answer without end':
      return served(hosts, async (response, answer) => {
        const whole = await wholeText(answer());
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write(whole.replace(/"[^"]*$/, '"'));
        const piece = 'x'.repeat(64 * 1024);
        while (!response.destroyed) {
          if (!response.write(piece)) await drained(response);
          await new Promise(setImmediate);
        }
      });
    case 'many records':
      return served(hosts);
  }
}

async function opened(
  http: HttpSourceHarness,
  server: AnsweringServer,
  hostnames: readonly string[],
): Promise<FaultySource> {
  return { source: await http.open(server.address), hostnames, close: () => server.close() };
}

/** Answers the second request, and every repetition of it, with 500. A source that sends one request cannot have that fault. */
async function secondBroken(
  served: (hosts: readonly SystemHost[], misbehave?: Misbehave) => Promise<FaultySource>,
  hosts: readonly SystemHost[],
): Promise<FaultySource | undefined> {
  const keys: string[] = [];
  const counted = await served(hosts, (response, answer, { request }) => {
    keys.push(keyOf(request));
    return send(response, answer());
  });
  await readOnly(counted.source);
  await counted.close?.();
  const second = keys[1];
  if (second === undefined) return undefined;
  return served(hosts, (response, answer, { request }) =>
    send(response, keyOf(request) === second ? { status: 500, body: '{}' } : answer()),
  );
}

function keyOf({ method, path, body }: FaultyRequest): string {
  return `${method} ${path} ${body}`;
}

/** The other host must learn nothing, and what it says must count for nothing. */
async function redirected(
  http: HttpSourceHarness,
  hosts: readonly SystemHost[],
  hostnames: readonly string[],
): Promise<FaultySource> {
  const other = await faultyServer((response, request) => send(response, http.answer(request, hosts)));
  const server = await faultyServer((response, request) => {
    if (http.asksForHosts?.(request) === false) return send(response, http.answer(request, hosts));
    return send(response, { status: 302, headers: { location: `${other.address}${request.path}` }, body: '' });
  });
  return {
    source: await http.open(server.address),
    hostnames,
    after: () => {
      for (const { headers } of other.requests) {
        expect([headers.authorization, headers.cookie], 'credentials at another host').toEqual([undefined, undefined]);
      }
    },
    async close() {
      await Promise.all([server.close(), other.close()]);
    },
  };
}

function englishOf(said: string | Wording): string {
  return typeof said === 'string' ? said : said.text;
}
