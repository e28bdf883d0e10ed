import type { RuleDocument } from '../../../ports/rule.ts';

/** A document of an export, as somebody finds it again there. */
export interface ExportedDocument {
  /** Ident of its type here. */
  readonly type: string;
  readonly name: string;
  /** Of JSON lines, the number of its line. */
  readonly line?: number;
  readonly document: RuleDocument;
}

/** By ident of their type here, in the order of the export. */
export type ExportedDocuments = ReadonlyMap<string, readonly ExportedDocument[]>;
