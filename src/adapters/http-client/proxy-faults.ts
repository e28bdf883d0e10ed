import { WordedError } from '../../kit/worded.ts';

/** The proxy answered something other than a way through. */
export class ProxyRefused extends Error {
  override readonly name = 'ProxyRefused';
  readonly status: number;

  constructor(status: number) {
    super(`the proxy answers ${status}`);
    this.status = status;
  }
}

/** A connection to the proxy itself failed. */
export class ProxyUnreachable extends WordedError {
  override readonly name = 'ProxyUnreachable';
}
