import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sealUnbound } from '../../../src/adapters/secrets/aes-gcm.ts';
import { aesGcmSecretBox } from '../../../src/adapters/secrets/aes-gcm-secret-box.ts';
import { fixedInstanceKey } from '../../../src/adapters/secrets/instance-key-file.ts';
import { documentPlace } from '../../../src/ports/index.ts';
import { describeSecretBoxContract } from '../../contracts/secrets.contract.ts';

describeSecretBoxContract(() => aesGcmSecretBox({ keys: fixedInstanceKey(() => randomBytes(32)) }));

describe('texts that were sealed before secrets had places', () => {
  const key = randomBytes(32);
  const box = aesGcmSecretBox({ keys: fixedInstanceKey(() => key) });

  it('open at members of documents, and for no purpose of the program', async () => {
    const sealed = sealUnbound('hunter2', key);
    expect(sealed).toMatch(/^aes256gcm:[A-Za-z0-9+/]+=*$/);
    expect(box.placeOf(sealed)).toBeNull();
    expect(await box.open(sealed, documentPlace('accounts', '1', 'password_crypted'))).toBe('hunter2');
    await expect(box.open(sealed, 'admin session')).rejects.toMatchObject({ code: 'failed' });
  });

  it('open for the purpose that they were sealed for', async () => {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: 16 });
    cipher.setAAD(Buffer.from('admin session'));
    const text = Buffer.concat([cipher.update('cookie'), cipher.final()]);
    const sealed = `aes256gcm:${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64')}`;
    expect(await box.open(sealed, 'admin session')).toBe('cookie');
    await expect(box.open(sealed, documentPlace('accounts', '1', 'a'))).rejects.toMatchObject({ code: 'failed' });
  });
});
