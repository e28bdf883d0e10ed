import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App } from '../../src/main/compose.ts';
import type { Figures } from './benchmark.ts';
import { answerQuestions } from './service.ts';

const PIECE_BYTES = 128 * 1024;

function fileOf(folder: string): string {
  return `${folder}/inventory.json`;
}

/** Hosts with fifty rules, and a file of the bytes of their whole inventory for the floor below. */
export async function prepareInventory(folder: string, hosts: number): Promise<Figures> {
  const { addBasics, addHosts, addRules, openProduct } = await import('./product.ts');
  const { fiftyRules } = await import('./fifty-rules.ts');
  const app = await openProduct({ folder });
  await addBasics(app);
  await addHosts(app, hosts);
  await addRules(app, fiftyRules());
  await writeInventoryFile(app, folder);
  await app.stop();
  return {};
}

async function writeInventoryFile(app: App, folder: string): Promise<void> {
  const { CALLER } = await import('./product.ts');
  const { renderInventory } = await import('../../src/app/inventory/operations/render-inventory.ts');
  const input = { kind: 'value' as const, value: { provider: 'automation' } };
  const answer = await app.executor.stream(renderInventory, input, CALLER);
  const pieces: Uint8Array[] = [];
  for await (const chunk of answer.body) pieces.push(Buffer.from(chunk as string));
  await writeFile(fileOf(folder), Buffer.concat(pieces));
}

/** The floor of serving an inventory: bare `node:http` that writes a file of the same bytes. */
export async function serveInventoryFile(folder: string): Promise<Figures> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json; charset=utf-8');
    createReadStream(fileOf(folder), { highWaterMark: PIECE_BYTES }).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return answerQuestions({
    address: `http://127.0.0.1:${port}`,
    async stop() {
      server.close();
    },
  });
}
