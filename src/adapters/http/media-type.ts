import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../ports/index.ts';
import { BODY_CODINGS, type BodyDecoder, decoderOf } from '../listener/bodies/codings.ts';
import type { OperationRoute } from './route.ts';

/** True when the request announces a body. */
function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** The body may be JSON or text, and the client did not specify. `curl --data-binary` sends the second of these. */
export const UNSAID = 'unsaid';
const UNSAID_TYPES: ReadonlySet<string> = new Set([
  '',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
]);

/** Refuses a body that the route cannot read, before a byte of it is read. Answers its media type, `''` without body, or `UNSAID`. */
export function acceptedMediaType(route: OperationRoute, headers: IncomingHttpHeaders): string {
  if (route.body === 'none' || route.bytesMember !== undefined || !hasBody(headers)) return '';
  const wanted = route.textMember === undefined ? 'application/json' : 'application/json or text/plain';
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  if (route.textMember !== undefined && UNSAID_TYPES.has(type)) return UNSAID;
  const known = type === 'application/json' || (type === 'text/plain' && route.textMember !== undefined);
  if (!known) throw new AppError('unsupported_media_type', `send the body with Content-Type: ${wanted}`);
  for (const parameter of parameters) {
    if (/^charset="?(utf-?8|us-ascii)"?$/.test(parameter) || !parameter.startsWith('charset=')) continue;
    throw new AppError('unsupported_media_type', `${parameter} is not supported; send the body encoded as UTF-8`);
  }
  return type;
}

/** Returns a stream that unpacks the body; `undefined` if it is not compressed, or if the route takes bytes unchanged. */
export function acceptedDecoder(route: OperationRoute, headers: IncomingHttpHeaders): BodyDecoder | undefined {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || route.body === 'none' || route.bytesMember !== undefined || !hasBody(headers)) {
    return undefined;
  }
  const decoder = decoderOf(coding);
  if (decoder !== undefined) return decoder;
  throw new AppError(
    'unsupported_media_type',
    `Content-Encoding ${coding.slice(0, 100)} is not supported; send the body as it is, or with one of ${BODY_CODINGS}`,
  );
}
