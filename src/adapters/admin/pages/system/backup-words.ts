import { t } from '@lingui/core/macro';
import type { OfferedOutput } from '../../offered-operations.ts';
import { numberText } from '../language/numbers.ts';

type Encryption = OfferedOutput<'storage/list-backups'>['encryption'];

export function encryptionText(encryption: Encryption): string {
  switch (encryption) {
    case 'none':
      return t`not encrypted`;
    case 'instance-key':
      return t`encrypted under the instance key`;
    case 'age':
      return t`encrypted for recipients of age`;
  }
}

/** `12 kB`, `3.4 MB`. */
export function sizeText(bytes: number): string {
  return bytes < 1e6
    ? t`${{ size: numberText(Math.ceil(bytes / 1e3)) }} kB`
    : t`${{ size: numberText(Math.round(bytes / 1e5) / 10) }} MB`;
}
