import {
  describeSourceFaults,
  type HttpSourceHarness,
  httpSourceFaults,
} from '../../../src/testing/source-faults.contract.ts';
import { IMPORTED } from '../faults/imported-over.ts';
import { openYaml } from './yaml-account.ts';

const secrets = ['pass phrase of the account'];
const account = { username: 'nina', password: secrets[0] as string };

/** A document over HTTP. It is one answer, and read whole. */
const harness: HttpSourceHarness = {
  secrets,
  many: 10_000,
  open: (address) => openYaml({}, { ...account, address }),
  answer: (_request, hosts) => ({
    headers: { 'content-type': 'application/yaml' },
    body: hosts.map(({ hostname, remark = '' }) => `- {host: ${hostname}, remark: "${remark}"}\n`).join(''),
  }),
};

const read = httpSourceFaults(harness);
describeSourceFaults('yaml over HTTP', read);
for (const { how, run } of IMPORTED) {
  describeSourceFaults(`yaml over HTTP, ${how}`, {
    ...read,
    run,
    make: (fault) => (fault === 'many records' ? Promise.resolve(undefined) : read.make(fault)),
  });
}
