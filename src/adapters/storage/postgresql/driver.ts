import { maskedAddress } from '../../../kit/masking/masked-address.ts';
import type { StoreDriver } from '../../../ports/storage/store-driver.ts';

export const postgresqlDriver: StoreDriver = {
  schemes: ['postgresql', 'postgres'],
  addresses: 'postgresql://',
  isShared: true,
  hasReplicas: true,
  async open(url, { maxHostBytes, mustExist, mayUpgrade, made, workingDirectory, password, replica }, deps) {
    const [{ replicaSettingsOf, settingsOf }, { postgresqlStorage }] = await Promise.all([
      import('./settings.ts'),
      import('./storage.ts'),
    ]);
    const settings = await settingsOf(url, workingDirectory, password);
    const storage = postgresqlStorage({
      settings,
      replica:
        replica === undefined
          ? undefined
          : await replicaSettingsOf(replica, workingDirectory, { ...settings, password }),
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
