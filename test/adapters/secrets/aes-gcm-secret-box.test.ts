import { randomBytes } from 'node:crypto';
import { aesGcmSecretBox } from '../../../src/adapters/secrets/aes-gcm-secret-box.ts';
import { fixedInstanceKey } from '../../../src/adapters/secrets/instance-key-file.ts';
import { describeSecretBoxContract } from '../../contracts/secrets.contract.ts';

describeSecretBoxContract(() => aesGcmSecretBox({ keys: fixedInstanceKey(() => randomBytes(32)) }));
