import { httpTargetFaults } from '../../../src/testing/http-target-faults.ts';
import { describeTargetFaults } from '../../../src/testing/target-faults.contract.ts';
import { VENDORS } from '../rest/target/vendor-systems.ts';
import { THOROUGH } from './registry-system.ts';

for (const { preset, shared: _, ...vendor } of VENDORS) {
  describeTargetFaults(
    `preset ${preset} of rest_target`,
    httpTargetFaults({
      ...vendor,
      type: 'rest_target',
      many: THOROUGH ? 5_000 : 1_000,
      kills: THOROUGH ? 5 : 1,
      ...(THOROUGH ? {} : { failingCalls: [2] }),
    }),
  );
}
