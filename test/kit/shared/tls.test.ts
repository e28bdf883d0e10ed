import { expect, it } from 'vitest';
import type { ConnectionOptions } from '../../../src/kit/connection/options.ts';
import { encryptionOf } from '../../../src/kit/connection/tls.ts';

/** A tunnel, a port-forward or a side-car begins on this machine, and ends elsewhere. */
it.each(['127.0.0.1', 'localhost', '::1', '127.8.8.8', 'db.example.org'])(
  'a certificate of %s is checked',
  async (host) => {
    const files = { read: () => Promise.reject(new Error('no file')) } as never;
    const verify = async (options: object) =>
      (await encryptionOf(options as ConnectionOptions, host, files, AbortSignal.timeout(1_000))).verify;
    expect(await verify({ allow_unencrypted: false })).toBe(true);
    expect(await verify({ allow_unencrypted: false, verify_cert: false })).toBe(false);
  },
);
