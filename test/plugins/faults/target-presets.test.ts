import { httpTargetFaults } from '../../../src/testing/http-target-faults.ts';
import { describeTargetFaults } from '../../../src/testing/target-faults.contract.ts';
import { IDOIT_ACCOUNT, JIRA_ACCOUNT, VENDORS } from '../rest/export/vendor-systems.ts';
import { mongodb, THOROUGH } from './registry-system.ts';

const size = {
  many: THOROUGH ? 5_000 : 1_000,
  kills: THOROUGH ? 5 : 1,
  ...(THOROUGH ? {} : { failingCalls: [2] }),
};

for (const { preset, shared: _, ...vendor } of VENDORS) {
  describeTargetFaults(
    `preset ${preset} of rest_target`,
    httpTargetFaults({
      ...vendor,
      type: 'rest_target',
      ...size,
    }),
  );
}

describeTargetFaults('i-doit over SQLite', httpTargetFaults({ ...IDOIT_ACCOUNT, ...size }));
if (THOROUGH) {
  describeTargetFaults('Jira over SQLite', httpTargetFaults({ ...JIRA_ACCOUNT, ...size }));
  describeTargetFaults('Jira over MongoDB', httpTargetFaults({ ...JIRA_ACCOUNT, ...size, database: mongodb }));
  describeTargetFaults('i-doit over MongoDB', httpTargetFaults({ ...IDOIT_ACCOUNT, ...size, database: mongodb }));
}
