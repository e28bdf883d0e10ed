import type { IncomingHttpHeaders } from 'node:http';
import type { OperationInput } from '../../app/kernel/executor.ts';
import { AppError } from '../../ports/index.ts';
import { UNSAID } from './media-type.ts';
import type { OperationRoute, QueryParameter } from './route.ts';

/** The parts of a request that become an operation's input. */
export interface RequestParts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly headers: IncomingHttpHeaders;
  /** Bytes, or `undefined` when there are none. */
  readonly body: Uint8Array | undefined;
  readonly mediaType: string;
  readonly knownTags: readonly string[];
}

const TRUE = new Set(['1', 'true', 'yes', 'on']);
const FALSE = new Set(['', '0', 'false', 'no', 'off']);

export function inputOf(route: OperationRoute, parts: RequestParts): OperationInput {
  const members = membersOf(route, parts);
  const { body } = parts;
  if (route.body === 'none') return { kind: 'value', value: members };
  if (route.bytesMember !== undefined) {
    return { kind: 'value', value: body === undefined ? members : { ...members, [route.bytesMember]: body } };
  }
  if (body === undefined || body.length === 0) {
    if (route.body === 'optional') return { kind: 'value', value: members };
    throw new AppError('invalid_input', 'the body is empty; send a JSON document');
  }
  const { textMember } = route;
  if (textMember !== undefined && (parts.mediaType === 'text/plain' || isLines(parts))) {
    return { kind: 'value', value: { ...members, [textMember]: textOf(body) } };
  }
  return { kind: 'json', body, members, ...(route.bodyMember === undefined ? {} : { bodyMember: route.bodyMember }) };
}

function membersOf(route: OperationRoute, parts: RequestParts): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const name in parts.params) members[name] = parts.params[name];
  for (const name in route.query) {
    const value = parts.query[name];
    if (value === undefined) continue;
    const parameter = route.query[name] as QueryParameter;
    members[name] = memberValue(name, parameter, value);
  }
  for (const member in route.headers) {
    const value = parts.headers[route.headers[member]?.name ?? ''];
    if (value !== undefined) members[member] = Array.isArray(value) ? value.join(', ') : value;
  }
  if (route.tagsMember !== undefined && parts.knownTags.length > 0) members[route.tagsMember] = parts.knownTags;
  return members;
}

function memberValue(name: string, parameter: QueryParameter, value: string | readonly string[]): unknown {
  if (typeof value !== 'string') throw refused(name, 'is given more than once');
  if (parameter.kind === 'text') return value;
  const word = value.toLowerCase();
  if (TRUE.has(word)) return true;
  if (FALSE.has(word)) return false;
  throw refused(name, 'must be 1 or 0');
}

function refused(name: string, reason: string): AppError {
  const message = `query parameter ${name} ${reason}`;
  return new AppError('invalid_input', message, { details: [{ path: name, message }] });
}

/** Bytes of a body that may be looked at: enough for a header or a document, and parsed in a few milliseconds. */
const FIRST_LINE = 256 * 1024;

/** Whether a body without a stated type is lines of JSON: its first line is a document of its own, and not a bundle. */
function isLines({ mediaType, body }: RequestParts): boolean {
  if (mediaType !== UNSAID || body === undefined) return false;
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, FIRST_LINE));
  const [line = ''] = head.toString('utf8').trimStart().split('\n', 1);
  try {
    const first: unknown = JSON.parse(line);
    return typeof first === 'object' && first !== null && !('rules' in first);
  } catch {
    return false;
  }
}

function textOf(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (cause) {
    throw new AppError('invalid_input', 'the body is not valid UTF-8', { cause });
  }
}
