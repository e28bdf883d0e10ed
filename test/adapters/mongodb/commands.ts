import { type Document, MongoClient } from 'mongodb';
import { vi } from 'vitest';
import type { Storage } from '../../../src/ports/index.ts';
import { openStorage } from './harness.ts';

export interface SentCommand {
  readonly name: string;
  readonly command: Document;
  /** How many commands of its session were under way then, itself among them. */
  readonly ofSession: number;
}

/** A started node of which every command is noted that it sends. */
export async function openNoted(url: string): Promise<{ readonly storage: Storage; readonly sent: SentCommand[] }> {
  const sent: SentCommand[] = [];
  const { connect } = MongoClient.prototype;
  const connecting = vi.spyOn(MongoClient.prototype, 'connect').mockImplementation(function (this: MongoClient) {
    const underWay = new Map<number, string>();
    this.on('commandStarted', ({ requestId, commandName: name, command }) => {
      const session: string = command.lsid?.id?.toString('hex') ?? `none ${requestId}`;
      underWay.set(requestId, session);
      const ofSession = [...underWay.values()].filter((other) => other === session).length;
      sent.push({ name, command, ofSession });
    });
    this.on('commandSucceeded', ({ requestId }) => underWay.delete(requestId));
    this.on('commandFailed', ({ requestId }) => underWay.delete(requestId));
    return connect.call(this);
  });
  const storage = openStorage(`${url}${url.includes('?') ? '&' : '?'}monitorCommands=true`);
  await storage.start();
  connecting.mockRestore();
  return { storage, sent };
}
