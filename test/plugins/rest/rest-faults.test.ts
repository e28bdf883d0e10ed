import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Source } from '../../../src/ports/index.ts';
import {
  describeSourceFaults,
  type HttpSourceHarness,
  httpSourceFaults,
  type SourceOutcome,
} from '../../../src/testing/source-faults.contract.ts';
import { type Authority, authority } from '../../support/certificates.ts';
import { json, misbehavingServer } from '../../support/misbehaving-server.ts';
import { itemsOf } from '../../support/read-source.ts';
import { IMPORTED } from '../faults/imported-over.ts';
import { openRest } from './rest-account.ts';

const secrets = ['pass phrase of the account'];
const account = { username: 'nina', password: secrets[0] as string };
const many = process.env.THOROUGH === undefined ? 200_000 : 1_000_000;

/** The source in one way of asking, before a system that answers in pages. */
function harness(
  fields: Readonly<Record<string, string>>,
  run?: (source: Source) => Promise<SourceOutcome>,
): HttpSourceHarness {
  return {
    secrets,
    many,
    ...(run === undefined ? {} : { run }),
    open: (address) => openRest(address, { path: 'hosts', hostname_field: 'hostname', ...fields }, { account }),
    answer({ path }, hosts) {
      const asked = new URL(path, 'http://localhost').searchParams;
      const size = Number(asked.get('limit') ?? (fields.paging === 'none' ? hosts.length : 10));
      const start = Number(asked.get('start') ?? 0);
      const end = Math.min(hosts.length, start + size);
      const next = end < hosts.length ? `/hosts?limit=${size}&start=${end}` : null;
      return { body: listOf(hosts, start, end, next) };
    },
  };
}

async function* listOf(
  hosts: readonly object[],
  start: number,
  end: number,
  next: string | null,
): AsyncGenerator<string> {
  yield `{"total":${hosts.length},"next":${JSON.stringify(next)},"hosts":[`;
  for (let at = start; at < end; at += 1_000) {
    const piece = hosts.slice(at, Math.min(end, at + 1_000)).map((host) => JSON.stringify(host));
    yield `${at === start ? '' : ','}${piece.join(',')}`;
  }
  yield ']}';
}

const offset = {
  paging: 'offset',
  page_parameter: 'start',
  page_size_parameter: 'limit',
  data_key: 'hosts',
  total_key: 'total',
};

describeSourceFaults('rest by offsets', {
  ...httpSourceFaults(harness({ ...offset, page_size: '10' })),
  make: (fault) =>
    httpSourceFaults(harness({ ...offset, page_size: fault === 'many records' ? '1000' : '10' })).make(fault),
});
describeSourceFaults('rest by addresses', httpSourceFaults({ ...harness({ data_key: 'hosts' }), many: 20_000 }));
describeSourceFaults('rest in one answer', httpSourceFaults(harness({ paging: 'none', data_key: 'hosts' })));
for (const { how, run } of IMPORTED) {
  const imported = harness({ ...offset, page_size: '10' }, run);
  describeSourceFaults(`rest, ${how}`, httpSourceFaults({ ...imported, many: 20_000 }));
}

describe('a certificate of an unknown authority', () => {
  let own: Authority;
  beforeAll(async () => {
    own = await authority();
  });
  afterAll(() => own.close());

  it('is a system that is not asked', async () => {
    const server = await misbehavingServer(await own.issue('IP:127.0.0.1'));
    server.at('/hosts', json([{ host: 'web1' }]));
    const reading = itemsOf(await openRest(server.origin, { path: 'hosts' }, { account }));
    await expect(reading).rejects.toMatchObject({ fault: 'tls', message: expect.stringContaining('ca_cert_chain') });
    expect(server.requests).toEqual([]);
    await server.close();
  });
});
