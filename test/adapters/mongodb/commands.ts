import { type Document, MongoClient } from 'mongodb';
import { vi } from 'vitest';
import type { Storage } from '../../../src/ports/index.ts';
import { openStorage } from './harness.ts';

export interface SentCommand {
  readonly name: string;
  readonly command: Document;
}

/** A started node of which every command is noted that it sends. */
export async function openNoted(url: string): Promise<{ readonly storage: Storage; readonly sent: SentCommand[] }> {
  const sent: SentCommand[] = [];
  const { connect } = MongoClient.prototype;
  const connecting = vi.spyOn(MongoClient.prototype, 'connect').mockImplementation(function (this: MongoClient) {
    this.on('commandStarted', ({ commandName: name, command }) => sent.push({ name, command }));
    return connect.call(this);
  });
  const storage = openStorage(`${url}${url.includes('?') ? '&' : '?'}monitorCommands=true`);
  await storage.start();
  connecting.mockRestore();
  return { storage, sent };
}
