import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/**
 * Ends the connection of a client that takes nothing of its answers for so long: they are whole when they are sent, and stay in
 * memory until they are read. A slow line is none: the timer of a socket begins anew with every piece that goes out. Quiet does
 * not count either, as a call may take its time.
 */
export function cutWhenUnread(response: ServerResponse, patienceSeconds: number, onCut: () => void): void {
  const { socket } = response;
  // Tests without a line have something else there.
  if (!(socket instanceof Socket)) return;
  response.setTimeout(patienceSeconds * 1_000, () => {
    if (response.writableLength === 0 && socket.writableLength === 0) return;
    onCut();
    socket.destroy();
  });
}
