import { maskedAddress } from '../../../kit/masking/masked-address.ts';
import type { StoreDriver } from '../../../ports/storage/store-driver.ts';

export const postgresqlDriver: StoreDriver = {
  schemes: ['postgresql', 'postgres'],
  addresses: 'postgresql://',
  isShared: true,
  async open(url, { maxHostBytes, mustExist, mayUpgrade, made, workingDirectory, password }, deps) {
    const [{ settingsOf }, { postgresqlStorage }] = await Promise.all([
      import('./settings.ts'),
      import('./storage.ts'),
    ]);
    const storage = postgresqlStorage({
      settings: await settingsOf(url, workingDirectory, password),
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
