import { isJsonObject } from '../../app/kernel/json/json-object.ts';
import type { HttpRequest, JsonValue } from '../../ports/index.ts';
import type { RestOptions } from './options.ts';

const MOST = 3;

/** How an answer with status 200 says that it is none. */
export const REFUSALS: Readonly<Record<RestOptions['protocol'], NonNullable<HttpRequest['refusal']> | undefined>> = {
  json: undefined,
  graphql: graphqlErrors,
  jsonrpc: jsonRpcError,
};

function graphqlErrors(document: JsonValue): string | undefined {
  const errors = isJsonObject(document) ? document.errors : undefined;
  if (errors === undefined || errors === null) return undefined;
  if (!Array.isArray(errors)) return textOf(errors);
  return errors.length === 0 ? undefined : errors.slice(0, MOST).map(textOf).join('; ');
}

function jsonRpcError(document: JsonValue): string | undefined {
  const error = isJsonObject(document) ? document.error : undefined;
  return error === undefined || error === null ? undefined : textOf(error);
}

function textOf(error: JsonValue): string {
  if (!isJsonObject(error)) return String(error);
  const { code, message, data } = error;
  const detail = isJsonObject(data) ? undefined : data;
  return [code, message, detail]
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .map(String)
    .join(' ');
}
