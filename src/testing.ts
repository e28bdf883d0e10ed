/**
 * Contract suites for authors of adapters and plugins, to be run with vitest: what an implementation of a port promises.
 */

export { type PluginUnderTest, pluginUnderTest } from './main/plugin-under-test.ts';
export {
  type AnsweringServer,
  answeringServer,
  type FaultyRequest,
  type SystemAnswer,
} from './testing/faulty-server.ts';
export {
  describeFileTargetFaults,
  type FileFault,
  type FileTargetFaultHarness,
} from './testing/file-target-faults.contract.ts';
export type { OpenedStorage, StorageHarness } from './testing/harness.ts';
export {
  type HttpTargetHarness,
  type HttpTargetSystem,
  httpTargetFaults,
} from './testing/http-target-faults.ts';
export {
  describeInventoryProviderContract,
  type InventoryProviderHarness,
} from './testing/inventory-provider.contract.ts';
export { describeJobContract, type JobHarness } from './testing/job.contract.ts';
export type { ProgramDatabase } from './testing/muster-program.ts';
export {
  describeNotificationChannelContract,
  type NotificationChannelHarness,
  type OpenedReceiver,
  type ReceiverFault,
} from './testing/notification-channel.contract.ts';
export {
  describeObjectTargetContract,
  type ObjectTargetHarness,
  type ObjectTargetSystem,
} from './testing/object-target.contract.ts';
export { describePluginActionContract, type PluginActionHarness } from './testing/plugin-action.contract.ts';
export { describeRecordProcessorContract, type RecordProcessorHarness } from './testing/record-processor.contract.ts';
export { describeRecordStoreContract, type RecordHarness } from './testing/record-store.contract.ts';
export {
  type ConditionOperatorHarness,
  describeConditionOperatorContract,
  describeTemplateFilterContract,
  type TemplateFilterHarness,
} from './testing/rule-language.contract.ts';
export { describeRuleTypeContract, type RuleTypeHarness } from './testing/rule-type.contract.ts';
export { describeSecretSourceContract, type SecretSourceHarness } from './testing/secret-source.contract.ts';
export { describeSourceContract, type SourceHarness } from './testing/source.contract.ts';
export {
  describeSourceFaults,
  type FaultySource,
  type HttpSourceHarness,
  httpSourceFaults,
  type SourceFault,
  type SourceFaultHarness,
  type SourceOutcome,
  type SystemHost,
} from './testing/source-faults.contract.ts';
export { describeStorageContract } from './testing/storage.contract.ts';
export { describeTargetContract, type TargetHarness, type TargetSystem } from './testing/target.contract.ts';
export {
  describeTargetFaults,
  type FaultMoment,
  type FaultyTargetSystem,
  type SystemObject,
  type TargetAccountSettings,
  type TargetFault,
  type TargetFaultHarness,
} from './testing/target-faults.contract.ts';
