import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { HttpAccess } from './access/access.ts';
import type { OwnHosts } from './access/own-hosts.ts';
import type { OwnPages } from './access/own-pages.ts';
import type { HttpError } from './errors.ts';
import type { KnownPath } from './methods.ts';

/** Services that the listener gives to a part other than the interface itself. */
export interface HttpMountKit {
  readonly access: HttpAccess;
  readonly pages: OwnPages;
  readonly hosts: OwnHosts;
  /** Returns the answer to a thrown value; logs faults, and counts refused credentials. */
  errorOf(thrown: unknown, request: FastifyRequest): HttpError;
}

/** A further part of the service at the same address. Its errors are answered as everywhere. */
export interface HttpMount {
  /** The paths it answers, for refusals of other methods. */
  readonly paths: readonly KnownPath[];
  add(app: FastifyInstance, kit: HttpMountKit): void;
}
