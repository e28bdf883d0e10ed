import { join } from 'node:path';
import { type HttpTargetHarness, httpTargetFaults } from '../../../src/testing/http-target-faults.ts';
import { describeTargetFaults } from '../../../src/testing/target-faults.contract.ts';
import { ROOT } from '../../architecture/source-files.ts';
import { mongodb, registrySystem, THOROUGH } from './registry-system.ts';

const harness: HttpTargetHarness = {
  ...registrySystem((url) => ({ settings: { url }, password: 'sesame' })),
  plugin: join(ROOT, 'examples/plugins/device-registry'),
  type: 'device-registry',
};

describeTargetFaults('device-registry over SQLite', httpTargetFaults(harness));
if (THOROUGH) describeTargetFaults('device-registry over MongoDB', httpTargetFaults({ ...harness, database: mongodb }));
