import type { IncomingHttpHeaders } from 'node:http';
import {
  ErrorCode,
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';

/** The messages that a client posted to `/mcp`. */
export interface PostedMessages {
  readonly messages: readonly JSONRPCMessage[];
  /** How many of them want an answer. */
  readonly requests: number;
}

/** An answer of the protocol to a post as a whole. */
export interface RefusedPost {
  readonly status: number;
  readonly jsonrpc: '2.0';
  readonly error: { readonly code: number; readonly message: string };
  readonly id: null;
}

/** Messages of one batch: the work on it must not grow with its square. */
const MAX_BATCH = 100;
/** The protocol has no code for errors in the request around its messages. */
const BAD_REQUEST = -32_000;

/** Reads the messages of a post, one or a batch of them, by the rules of the streamable transport. */
export function postedMessages(headers: IncomingHttpHeaders, body: unknown): PostedMessages | RefusedPost {
  const accepted = headers.accept ?? '';
  if (!accepted.includes('application/json') || !accepted.includes('text/event-stream')) {
    return refused(406, BAD_REQUEST, 'Not Acceptable: Client must accept both application/json and text/event-stream');
  }
  const given: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (given.length > MAX_BATCH) {
    return refused(400, ErrorCode.InvalidRequest, `Invalid Request: Batch must not exceed ${MAX_BATCH} messages`);
  }
  const messages: JSONRPCMessage[] = [];
  for (const value of given) {
    const { success, data } = JSONRPCMessageSchema.safeParse(value);
    if (!success) return refused(400, ErrorCode.ParseError, 'Parse error: Invalid JSON-RPC message');
    messages.push(data);
  }
  const begins = messages.some((message) => isInitializeRequest(message));
  if (begins && messages.length > 1) {
    return refused(400, ErrorCode.InvalidRequest, 'Invalid Request: Only one initialization request is allowed');
  }
  const version = headers['mcp-protocol-version'];
  if (!begins && version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) {
    const known = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
    return refused(
      400,
      BAD_REQUEST,
      `Bad Request: Unsupported protocol version: ${version} (supported versions: ${known})`,
    );
  }
  const ids = messages.filter((message) => isJSONRPCRequest(message)).map(({ id }) => id);
  if (new Set(ids).size < ids.length) {
    return refused(400, ErrorCode.InvalidRequest, 'Invalid Request: Each request needs its own id');
  }
  return { messages, requests: ids.length };
}

export function isRefusedPost(posted: PostedMessages | RefusedPost): posted is RefusedPost {
  return 'error' in posted;
}

function refused(status: number, code: number, message: string): RefusedPost {
  return { status, jsonrpc: '2.0', error: { code, message }, id: null };
}
