import { documentName } from '../../../kit/document/document-name.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { wordingFor } from '../../../kit/worded.ts';
import type { ErrorDetail, JsonValue, RuleType } from '../../../ports/index.ts';

/** One problem of one document: it is invalid, or it refers to something that is not there. */
export interface DocumentProblem extends ErrorDetail {
  readonly rule_type: string;
  readonly index: number;
  /** The line number, if the document comes from JSON lines. */
  readonly line?: number;
  readonly name: string;
}

export function problemOf(
  type: RuleType,
  index: number,
  document: JsonValue,
  { path, message, wording }: ErrorDetail,
): DocumentProblem {
  const name = isJsonObject(document) ? documentName(type, document) : '';
  return { rule_type: type.id, index, name, path, message, ...(wording === undefined ? {} : { wording }) };
}

/** Problems as an answer has them: only pages get the parts of their messages. */
export function problemsFor(
  caller: { readonly entrance: string },
  problems: readonly DocumentProblem[],
): DocumentProblem[] {
  return problems.map(({ wording, ...problem }) => ({ ...problem, ...wordingFor(caller, wording) }));
}
