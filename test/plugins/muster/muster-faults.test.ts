import { lazyHttp } from '../../../src/main/http.ts';
import plugin from '../../../src/plugins/muster/index.ts';
import { musterOptions } from '../../../src/plugins/muster/options.ts';
import type { Source, SourceType } from '../../../src/ports/index.ts';
import {
  describeSourceFaults,
  type HttpSourceHarness,
  httpSourceFaults,
} from '../../../src/testing/source-faults.contract.ts';
import { noPrograms } from '../../support/no-programs.ts';
import { recordingLogger } from '../../support/recording-logger.ts';
import { IMPORTED } from '../faults/imported-over.ts';

const password = 'pass phrase of the account';
const http = lazyHttp({ now: () => new Date() });
const fewRetries = { attempts: 2, firstSeconds: 0 };

function open(url: string, page_size = 10): Source {
  let type: SourceType | undefined;
  const logger = recordingLogger([]);
  plugin.register({ logger, source: (registered: SourceType) => (type = registered) } as never, undefined);
  const account = { name: 'hq', address: '', username: 'nina', password };
  return (type as SourceType).open(musterOptions().parse({ url, page_size }), account, {
    logger,
    files: {} as never,
    programs: noPrograms,
    http: { client: (settings) => http.client({ ...settings, retry: { ...settings.retry, ...fewRetries } }) },
  });
}

/** Hosts as the REST interface lists them. */
const harness: HttpSourceHarness = {
  secrets: [password],
  many: 20_000,
  open: (address) => open(address),
  answer({ path }, hosts) {
    const asked = new URL(path, 'http://localhost').searchParams;
    const start = Number(asked.get('start') ?? 0);
    const shown = hosts.slice(start, start + Number(asked.get('limit') ?? hosts.length));
    const results = shown.map(({ hostname, ...labels }) => ({ hostname, labels, inventory: {} }));
    return { body: JSON.stringify({ results, size: hosts.length }) };
  },
};

const read = httpSourceFaults(harness);
const many = httpSourceFaults({ ...harness, open: (address) => open(address, 1_000) });
describeSourceFaults('muster', { ...read, make: (fault) => (fault === 'many records' ? many : read).make(fault) });
for (const { how, run } of IMPORTED) {
  describeSourceFaults(`muster, ${how}`, {
    ...read,
    run,
    make: (fault) => (fault === 'many records' ? Promise.resolve(undefined) : read.make(fault)),
  });
}
