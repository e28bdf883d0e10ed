import { fileURLToPath } from 'node:url';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { OperationsApp } from '../operations/operations-app.ts';
import { resetShelf, shelf } from './fixtures/shelf.mjs';

const SHELF = fileURLToPath(new URL('fixtures/shelf.mjs', import.meta.url));

/** Runs `act` in a new instance with the accounts `red`, of hosts, and `out`, whose target is an empty shelf that may lose all that it has. */
export async function inShelfWorld(marks: boolean, act: (muster: OperationsApp) => Promise<void>): Promise<void> {
  resetShelf();
  shelf.marks = marks;
  const storage = memoryStorage()();
  await storage.start();
  const muster = await OperationsApp.over(storage, { PLUGINS: [SHELF] });
  await muster.addAccounts('red');
  const settings = { delete_threshold: '100%', allow_empty: 'true' };
  await muster.run(addAccount, { name: 'out', type: 'shelf', settings });
  await act(muster);
  await muster.stop();
  await storage.stop();
}
