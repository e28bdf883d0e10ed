import type { StoreDriver } from '../../../ports/storage/store-driver.ts';

export const memoryDriver: StoreDriver = {
  schemes: ['memory'],
  addresses: 'memory:',
  isShared: false,
  async open(_address, { maxHostBytes }, { clock }) {
    const { memoryStorage } = await import('./storage.ts');
    return { storage: memoryStorage({ maxHostBytes })({ clock }) };
  },
  files: () => [],
};
