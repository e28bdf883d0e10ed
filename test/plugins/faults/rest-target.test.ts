import { type HttpTargetHarness, httpTargetFaults } from '../../../src/testing/http-target-faults.ts';
import { describeTargetFaults } from '../../../src/testing/target-faults.contract.ts';
import { REGISTRY_OBJECTS } from '../rest/export/target-account.ts';
import { mongodb, registrySystem, THOROUGH } from './registry-system.ts';

const harness: HttpTargetHarness = {
  ...registrySystem((url) => ({ settings: { url, objects: REGISTRY_OBJECTS }, password: 'sesame' })),
  type: 'rest_target',
};

describeTargetFaults('rest_target over SQLite', httpTargetFaults(harness));
if (THOROUGH) describeTargetFaults('rest_target over MongoDB', httpTargetFaults({ ...harness, database: mongodb }));
