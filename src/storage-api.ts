/**
 * The exports of `muster/storage-api` for authors of stores, in addition to the ports of `muster/plugin-api`: the decisions that
 * every store makes alike, and the parts built on a small one. It may change with any release until 1.0.
 */

export { movesOfHost, removalsOfHost } from './adapters/storage/records/host-records.ts';
export { storageOf } from './adapters/storage/records/record-stores.ts';
export { isRecordPart, type RecordPart, TransferredRecords } from './adapters/storage/records/transfer-records.ts';
export { confirmationAfter, stronger } from './adapters/storage/shared/confirmation.ts';
export {
  type FeedNote,
  type FeedRow,
  notesOfDraft,
  reachNote,
  rowsOf,
  type TimedNote,
} from './adapters/storage/shared/feed-notes.ts';
export { type FeedReader, feedPage, type KeptChange, type PlacedRow } from './adapters/storage/shared/feed-pages.ts';
export { accountHostsOf } from './adapters/storage/shared/host-counts.ts';
export { type ChangeHosts, type HostsRequest, hostWrites, named } from './adapters/storage/shared/host-writes.ts';
export { keptChange } from './adapters/storage/shared/kept-change.ts';
export { documentWithId } from './adapters/storage/shared/rule-text.ts';
export { sizedBatches, sizeOfRule } from './adapters/storage/shared/sized-batches.ts';
export { storeMissing } from './adapters/storage/shared/store-faults.ts';
export { keyParts, transferKey } from './adapters/storage/shared/transfer-key.ts';
export { itemOf, recordOf, refuseOtherVersion, type TransferItem } from './adapters/storage/shared/transfer-table.ts';
export { compareUtf8, wellFormed } from './adapters/storage/shared/utf8-order.ts';
export { wellFormedEdge } from './adapters/storage/shared/well-formed-edge.ts';
export { archiveStale, archiveUnseen, isStale } from './app/hosts/decisions/archive.ts';
export { withdrawContributions } from './app/hosts/decisions/contribution.ts';
export { type RuleEffect, ruleChangesOf } from './app/hosts/decisions/folder-seats.ts';
export { type DraftHost, HostDraft, sizeOfParts } from './app/hosts/decisions/host-draft.ts';
export { compareLayers, type HostLayer } from './app/hosts/decisions/label-layers.ts';
export type { NamedChange } from './app/hosts/decisions/named-change.ts';
export { isProtected } from './app/hosts/decisions/protection.ts';
export { renameChange } from './app/hosts/decisions/rename.ts';
export { isActive, isArchived, scopeTest } from './app/hosts/decisions/scope.ts';
export { edgeKey, type SourcedEdge, shownEdges } from './app/hosts/decisions/shown-edges.ts';
export { isUnseen, sweepDecision } from './app/hosts/decisions/sweep.ts';
export { stateOf } from './app/rules/decisions/state-before.ts';
export { templatesOf } from './kit/document/templates.ts';
