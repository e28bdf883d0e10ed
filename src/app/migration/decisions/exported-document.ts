import type { RuleDocument } from '../../../ports/rule.ts';

/** A document of an export, with the details to find it there again. */
export interface ExportedDocument {
  /** Ident of its type here. */
  readonly type: string;
  readonly name: string;
  /** Number of its line, in JSON lines. */
  readonly line?: number;
  readonly document: RuleDocument;
}

/** By ident of their type here, in the order of the export. */
export type ExportedDocuments = ReadonlyMap<string, readonly ExportedDocument[]>;
