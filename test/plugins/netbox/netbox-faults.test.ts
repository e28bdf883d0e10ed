import type { JsonObject } from '../../../src/ports/index.ts';
import {
  describeSourceFaults,
  type HttpSourceHarness,
  httpSourceFaults,
} from '../../../src/testing/source-faults.contract.ts';
import { IMPORTED } from '../faults/imported-over.ts';
import { netboxSource, TOKEN } from './netbox-account.ts';
import { netboxAnswer } from './simulated-netbox.ts';

/** As NetBox answers, and as one of 4.2 does, which has no cursor. */
function harness(version: string, given: object = {}): HttpSourceHarness {
  let known: readonly unknown[] = [];
  let devices: readonly JsonObject[] = [];
  return {
    secrets: [TOKEN],
    many: 20_000,
    open: (address) => netboxSource(address, { parts: 'devices', relations: false, ...given }),
    asksForHosts: ({ path }) => path.includes('dcim/devices/'),
    answer(request, hosts) {
      if (hosts !== known) {
        known = hosts;
        devices = hosts.map(({ hostname, remark }, index) => ({
          id: index + 1,
          name: hostname,
          status: { value: 'active', label: 'Active' },
          ...(remark === undefined ? {} : { comments: remark }),
        }));
      }
      return netboxAnswer({ version, authorization: `Bearer ${TOKEN}`, data: { 'dcim/devices/': devices } }, request);
    },
  };
}

for (const version of ['4.7.3', '4.2.9']) {
  const http = harness(version);
  const read = httpSourceFaults(http);
  const many = httpSourceFaults({
    ...http,
    open: (address) => netboxSource(address, { parts: 'devices', relations: false, page_size: 1_000 }),
  });
  describeSourceFaults(`netbox ${version}`, {
    ...read,
    make: (fault) => (fault === 'many records' ? many : read).make(fault),
  });
  for (const { how, run } of version === '4.7.3' ? IMPORTED : []) {
    describeSourceFaults(`netbox, ${how}`, {
      ...read,
      run,
      make: (fault) => (fault === 'many records' ? Promise.resolve(undefined) : read.make(fault)),
    });
  }
}

const changes = httpSourceFaults(harness('4.7.3', { full_read_hours: 24 }));
describeSourceFaults('netbox, of which changes may be read', {
  ...changes,
  make: (fault) => (fault === 'many records' ? Promise.resolve(undefined) : changes.make(fault)),
});
