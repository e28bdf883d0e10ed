import type { StoreDriver } from '../../../ports/storage/store-driver.ts';

export const mongodbDriver: StoreDriver = {
  schemes: ['mongodb', 'mongodb+srv'],
  addresses: 'mongodb://',
  isShared: true,
  async open(url, { maxHostBytes }, deps) {
    const { mongodbStorage } = await import('./storage.ts');
    return { storage: mongodbStorage({ url, maxHostBytes })(deps) };
  },
  files: () => [],
};
