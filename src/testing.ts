/**
 * Contract suites for authors of adapters and plugins, to be run with vitest: what an implementation of a port promises.
 */

export type { OpenedStorage, StorageHarness } from '../test/contracts/harness.ts';
export { describeInventoryProviderContract } from '../test/contracts/inventory-provider.contract.ts';
export { describeJobContract, type JobHarness } from '../test/contracts/job.contract.ts';
export { describeRuleTypeContract } from '../test/contracts/rule-type.contract.ts';
export { describeSourceContract } from '../test/contracts/source.contract.ts';
export { describeStorageContract } from '../test/contracts/storage.contract.ts';
export { describeTargetContract } from '../test/contracts/target.contract.ts';
