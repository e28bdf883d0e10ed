import type { Socket } from 'node:net';
import { JSON_TYPE } from '../listener/answers.ts';
import { newRequestId } from './request-ids.ts';

export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(brokenRequestAnswer(error, newRequestId()));
}

/** Malformed HTTP never becomes a request, so the answer is written by hand. */
function brokenRequestAnswer(error: NodeJS.ErrnoException, requestId: string): string {
  const [status, reason, code, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large', 'too_large', 'the head of the request is too large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout', 'invalid_input', 'the request took too long to arrive']
        : [400, 'Bad Request', 'invalid_input', 'the request is not valid HTTP'];
  const body = JSON.stringify({ message, code });
  return [
    `HTTP/1.1 ${status} ${reason}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
