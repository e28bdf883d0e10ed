import type { IncomingMessage } from 'node:http';

const MAX_MILLISECONDS = 5_000;

/**
 * Reads and discards the rest of a body, up to a number of bytes and for a bounded time. A client that still sends when the
 * connection closes sees a broken pipe instead of the answer.
 */
export async function drain(message: IncomingMessage, maxBytes: number): Promise<void> {
  if (message.readableEnded || message.destroyed) return;
  await new Promise<void>((resolve) => {
    let left = maxBytes;
    const timer = setTimeout(end, MAX_MILLISECONDS);
    function count(chunk: Buffer): void {
      left -= chunk.length;
      if (left < 0) end();
    }
    function end(): void {
      clearTimeout(timer);
      message.off('data', count);
      message.off('end', end);
      message.off('close', end);
      resolve();
    }
    message.on('data', count);
    message.once('end', end);
    message.once('close', end);
    message.resume();
  });
}
