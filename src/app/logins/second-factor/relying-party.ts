import { isIP } from 'node:net';
import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';

/** The service as browsers know it that keep passkeys for it. */
export interface RelyingParty {
  /** Scheme, name and port. */
  readonly origin: string;
  /** The name alone: a passkey of one name is never shown to another. */
  readonly id: string;
}

/** By the address that people use. Throws for one without a name, for which browsers keep no passkeys. */
export function relyingPartyAt(address: string): RelyingParty {
  const { origin, hostname } = new URL(address);
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) {
    throw new AppError(
      'invalid_input',
      worded`browsers keep passkeys for names only, and ${{ hostname }} is an address; open this page by its name, such as https://muster.example.org or http://localhost`,
    );
  }
  return { origin, id: hostname };
}
