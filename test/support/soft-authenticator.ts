import { createSign, generateKeyPairSync, hash, randomBytes } from 'node:crypto';

const [PRESENT, VERIFIED, ATTESTED] = [0x01, 0x04, 0x40];

interface Shown {
  readonly challenge: string;
  readonly origin: string;
  /** False for somebody who found the device, and cannot unlock it. */
  readonly unlocked?: boolean;
}

/** A security key as WebAuthn describes it (level 2, 6.1 and 6.5.4), in software: one ES256 key, no attestation. */
export class SoftAuthenticator {
  readonly id = randomBytes(16);
  counter = 0;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  register(shown: Shown): Record<string, unknown> {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
      Buffer.from(x ?? '', 'base64url'),
      Buffer.from([0x22, 0x58, 0x20]),
      Buffer.from(y ?? '', 'base64url'),
    ]);
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, key]);
    const data = Buffer.concat([this.#head(shown, ATTESTED), credential]);
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      Buffer.from([data.length]),
      data,
    ]);
    return this.#answer({
      clientDataJSON: clientData('webauthn.create', shown).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['usb'],
    });
  }

  /** Proves that the key is there. */
  show(shown: Shown): Record<string, unknown> {
    const data = this.#head(shown, 0);
    const client = clientData('webauthn.get', shown);
    const signed = Buffer.concat([data, hash('sha256', client, 'buffer')]);
    return this.#answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: createSign('sha256').update(signed).sign(this.#keys.privateKey).toString('base64url'),
    });
  }

  #answer(response: object): Record<string, unknown> {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #head({ origin, unlocked = true }: Shown, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(++this.counter);
    const party = hash('sha256', new URL(origin).hostname, 'buffer');
    return Buffer.concat([party, Buffer.from([PRESENT | (unlocked ? VERIFIED : 0) | flags]), counter]);
  }
}

function clientData(type: string, { challenge, origin }: Shown): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}
