import type { ErrorDetail, JsonValue, RuleType } from '../../../ports/index.ts';
import { isJsonObject } from '../../kernel/json/json-object.ts';
import { documentName } from '../document/document-name.ts';

/** One problem of one document: it is invalid, or it refers to something that is not there. */
export interface DocumentProblem extends ErrorDetail {
  readonly rule_type: string;
  readonly index: number;
  /** Of JSON lines, the number of its line. */
  readonly line?: number;
  readonly name: string;
}

export function problemOf(
  type: RuleType,
  index: number,
  document: JsonValue,
  { path, message }: ErrorDetail,
): DocumentProblem {
  const name = isJsonObject(document) ? documentName(type, document) : '';
  return { rule_type: type.id, index, name, path, message };
}
