import type { Http } from './http-client.ts';
import type { Logger } from './logger.ts';

export interface SecretContext {
  /** Ends whatever is under way. */
  readonly signal: AbortSignal;
}

/** The parts of the machine that its operator opened for secrets; all others stay closed. */
export interface MachineSecrets {
  /** The text of a file below one of the folders for secrets. Throws `AppError` for any other, and for one that cannot be read. */
  file(path: string, context: SecretContext): Promise<string>;
  /** A variable that is opened for secrets. Throws `AppError` for any other, and for one that is not set. */
  variable(name: string): string;
}

export interface SecretSourceServices {
  readonly logger: Logger;
  /** Systems that are asked over HTTP. */
  readonly http: Http;
  readonly machine: MachineSecrets;
}

/** A place that keeps secrets, opened. */
export interface SecretSource {
  /**
   * The secret that a text names, as it is now: what was read before is not kept here. Must throw when it cannot be read, or is not there; an
   * empty secret counts as none. Messages must hold neither the secret nor what it is read with.
   */
  read(reference: string, context: SecretContext): Promise<string>;

  /** Connects, reads no secret, and says in one sentence to what and as whom. Throws when it could not. */
  check?(context: SecretContext): Promise<string>;
}

/** A kind of places that keep secrets, which documents name instead of a secret: `vault:secret/data/netbox#token`. */
export interface SecretSourceType {
  /** The prefix of references, up to the colon: lower-case letters, digits and `-`. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** A reference as people write it: `vault:secret/data/netbox#token`. */
  readonly example: string;
  /**
   * Why a text behind the colon can name nothing here, as what follows it in a sentence: `names no field; write #field behind the path`. Asked before a
   * reference is stored, so it looks at the text alone.
   */
  problem?(reference: string): string | undefined;
  /** Called at the first use; must not connect. */
  open(services: SecretSourceServices): SecretSource;
}
