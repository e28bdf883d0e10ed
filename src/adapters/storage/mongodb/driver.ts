import { maskedAddress } from '../../../kit/masking/masked-address.ts';
import type { StoreDriver } from '../../../ports/storage/store-driver.ts';

export const mongodbDriver: StoreDriver = {
  schemes: ['mongodb', 'mongodb+srv'],
  addresses: 'mongodb://',
  isShared: true,
  async open(url, { maxHostBytes, mustExist, mayUpgrade, made }, deps) {
    const { mongodbStorage } = await import('./storage.ts');
    const storage = mongodbStorage({
      url,
      maxHostBytes,
      mustExist,
      mayUpgrade,
      ...(made === undefined ? {} : { made: () => made(maskedAddress(url)) }),
    })(deps);
    return { storage };
  },
  files: () => [],
};
