import { isJsonObject } from '../../kit/json/json-object.ts';
import { textOf } from '../../kit/records/whole-list.ts';
import type { HttpRequest, JsonValue } from '../../ports/index.ts';
import type { RestOptions } from './options.ts';

/** Functions by protocol that return the error of a response that reports one despite status 200. */
export const REFUSALS: Readonly<Record<RestOptions['protocol'], NonNullable<HttpRequest['refusal']> | undefined>> = {
  json: undefined,
  graphql: (document) => saidAt(document, 'errors'),
  jsonrpc: (document) => saidAt(document, 'error'),
};

function saidAt(document: JsonValue, member: 'error' | 'errors'): string | undefined {
  const said = isJsonObject(document) ? document[member] : undefined;
  return said === undefined || said === null || (Array.isArray(said) && said.length === 0) ? undefined : textOf(said);
}
