import { resolve } from 'node:path';
import { definePlugin } from 'muster/plugin-api';

/** @param {string} address @param {string} workingDirectory */
const pathOf = (address, workingDirectory) => resolve(workingDirectory, address.slice('json:'.length));

/** @type {import('muster/plugin-api').StoreDriver} */
const driver = {
  schemes: ['json'],
  addresses: 'json:',
  // One process alone can have it open: no worker threads, no commands next to a service, no second node.
  isShared: false,
  async open(address, settings, { clock }) {
    const { jsonStore } = await import('./store.js');
    return { storage: jsonStore(pathOf(address, settings.workingDirectory), settings, clock) };
  },
  files: (address, workingDirectory) => ['', '.journal'].map((end) => pathOf(address + end, workingDirectory)),
};

export default definePlugin({
  id: 'json-store',
  apiVersion: 2,
  description: 'Keeps everything in one JSON file.',
  register(host) {
    host.store(driver);
  },
});
