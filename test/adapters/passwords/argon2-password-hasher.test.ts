import { argon2PasswordHasher } from '../../../src/adapters/passwords/argon2-password-hasher.ts';
import { describePasswordHasherContract } from '../../contracts/secrets.contract.ts';

describePasswordHasherContract(argon2PasswordHasher);
