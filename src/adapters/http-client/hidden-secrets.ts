import { SecretMask } from '../../kit/masking/secret-mask.ts';
import { secretSpellings } from '../../kit/masking/secret-spellings.ts';

/** Number of earlier tokens still hidden: messages may arrive after the next token was fetched, but not after more than this. */
const MOST_TOKENS = 4;

/** Hides the secrets of the settings, and the last tokens that were issued: a client may live for years. */
export class HiddenSecrets {
  readonly #settings: SecretMask;
  #issued: readonly string[] = [];
  #tokens = new SecretMask([]);

  constructor(secrets: readonly string[], usernames: readonly string[]) {
    this.#settings = new SecretMask(secrets.flatMap((secret) => secretSpellings(secret, usernames)));
  }

  text(text: string): string {
    return this.#tokens.text(this.#settings.text(text));
  }

  issued(token: string): void {
    this.#issued = [...this.#issued, token].slice(-MOST_TOKENS);
    this.#tokens = new SecretMask(this.#issued.flatMap((one) => secretSpellings(one)));
  }
}
