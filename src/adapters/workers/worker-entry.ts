import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The built file of the worker: next to this module in the bundle, in `dist` when running from sources. */
export function operationWorkerEntry(): URL {
  const beside = new URL('./operation-worker.js', import.meta.url);
  return existsSync(fileURLToPath(beside)) ? beside : new URL('../../../dist/operation-worker.js', import.meta.url);
}
