import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPage, tableBelow } from '../docs/support/markdown.ts';
import { fixtureJson } from '../oracle/fixtures.ts';
import { THOROUGH_STORES } from '../security/support/two-stores.ts';
import { MovedInstallation } from './support/moved-installation.ts';

const PAGE = 'docs/migration-api.md';

/** A request that the reference's own tests or documentation make. */
interface RecordedRequest {
  readonly from: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  readonly answer: unknown;
}

const REQUESTS = fixtureJson('everything/requests.json') as RecordedRequest[];

/** The request as the table of the page writes it. */
function rowOf({ method, path }: RecordedRequest): string {
  const pattern = path
    .replace(/\?.*/, '')
    .replace(/^\/objects\/(?!all$|bulk)[^/]+/, '/objects/{hostname}')
    .replace(/^\/rules\/(?!types|export|import|autorules)[^/]+/, '/rules/{rule_type}')
    .replace(/^(\/ansible\/inventory|\/inventory\/ansible)\/.+/, '$1/{provider}')
    .replace(/^\/syncer\/services\/.+/, '/syncer/services/{source}')
    .replace(/^\/syncer\/cron\/trigger\/.+/, '/syncer/cron/trigger/{group}');
  return `${method} ${pattern}`;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape are compared
type Answer = any;

/** Long answers were recorded by the names in them; an order is none that anybody was promised. */
function brief(answer: Answer): Answer {
  if (answer === null || typeof answer !== 'object') return answer;
  if (Array.isArray(answer.results)) {
    return { ...answer, results: answer.results.map((host: Answer) => host.hostname ?? host).sort() };
  }
  if (answer._meta) return hostsAndVariables(answer.all.hosts, Object.keys(answer._meta.hostvars));
  if (answer.hostvars) return hostsAndVariables(answer.hosts, answer.hostvars);
  if (answer.exported_at) {
    const counts = Object.entries(answer.rules as Record<string, unknown[]>).map(([type, list]) => [type, list.length]);
    return { counts: Object.fromEntries(counts) };
  }
  return answer;
}

const hostsAndVariables = (hosts: string[], hostvars: string[]) => ({
  hosts: [...hosts].sort(),
  hostvars: [...hostvars].sort(),
});

/** Equal, but for members that only ours has at the top. */
function isAlike(there: Answer, here: Answer): boolean {
  if (there === null || typeof there !== 'object' || Array.isArray(there)) return equal(there, here);
  return Object.entries(there).every(([name, value]) => equal(value, here?.[name]));
}

type Verdict = 'alike' | 'other error body' | 'other answer' | 'other status';

function verdictOn(request: RecordedRequest, here: number, answer: unknown): Verdict {
  if (here !== request.status) return 'other status';
  if (isAlike(brief(request.answer), brief(answer))) return 'alike';
  return here >= 400 ? 'other error body' : 'other answer';
}

function equal(one: unknown, other: unknown): boolean {
  try {
    expect(other).toEqual(one);
    return true;
  } catch {
    return false;
  }
}

describe.each(THOROUGH_STORES)('what tests and documentation of the other product ask, %s', (_store, create) => {
  let moved: MovedInstallation;
  const verdicts: { readonly request: RecordedRequest; readonly here: number; readonly verdict: Verdict }[] = [];

  beforeAll(async () => {
    moved = await MovedInstallation.over(create);
    for (const request of REQUESTS) {
      const sent = typeof request.body === 'object' ? { 'content-type': 'application/json' } : {};
      const response = await moved.ask({ ...request, headers: { ...sent, ...request.headers } });
      const here = response.statusCode;
      verdicts.push({ request, here, verdict: verdictOn(request, here, response.json()) });
    }
  });
  afterAll(() => moved.stop());

  const count = (verdict: Verdict): number => verdicts.filter((each) => each.verdict === verdict).length;

  it('is answered alike, or the page says how else and why', () => {
    const different = verdicts.filter(({ verdict }) => verdict === 'other answer' || verdict === 'other status');
    const rows = different.map(({ request, here }) => `${rowOf(request)} ${request.status} ${here}`);
    const said = tableBelow(PAGE, 'Other answers').map(([request, there, here]) => `${request} ${there} ${here}`);
    expect(said).toEqual([...new Set(said)]);
    expect(said.toSorted()).toEqual([...new Set(rows)].sort());
    for (const [, , , why] of tableBelow(PAGE, 'Other answers')) expect(why).toMatch(/\w/);
  });

  it('is counted on the page', () => {
    const counted = `${count('alike')} of ${REQUESTS.length} requests are answered alike, ${count('other error body')} are refused alike with another body, ${count('other answer')} have the same status and an answer that differs, and ${count('other status')} have another status.`;
    expect(readPage(PAGE).replace(/\s+/g, ' ')).toContain(counted);
  });

  it('gets errors whose bodies are on the page', () => {
    const refused = verdicts.filter(({ verdict }) => verdict === 'other error body');
    const shapes = new Set(
      refused.map(({ request }) =>
        Object.keys(request.answer as object)
          .sort()
          .join(', '),
      ),
    );
    const said = tableBelow(PAGE, 'Bodies of errors').map(([shape]) => shape);
    expect([...shapes].sort()).toEqual(said.toSorted());
  });
});
