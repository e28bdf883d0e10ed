import { serverError } from '../../../kit/connection/faults.ts';
import { requireAllowedHost } from '../../../kit/names/addresses.ts';
import { worded } from '../../../kit/worded.ts';
import type { Logger } from '../../../ports/index.ts';
import type { ServerSettings } from '../settings.ts';

/**
 * Opens an encrypted connection, and an unencrypted one only if the server offers no other and the account or the host allows it.
 * `offersNone` returns whether an error means that the server offers no encryption.
 */
export async function encryptedFirst<T>(
  server: string,
  { encryption, host }: Pick<ServerSettings, 'encryption' | 'host'>,
  logger: Logger,
  how: { open(encrypted: boolean): Promise<T>; offersNone(error: unknown): boolean },
): Promise<T> {
  await requireAllowedHost(host);
  try {
    return await how.open(true);
  } catch (error) {
    if (!how.offersNone(error)) throw error;
    if (encryption.required) {
      throw serverError(
        'failed',
        server,
        worded`offers no encryption, so the password is not sent; have it offer TLS, or set allow_unencrypted where everyone on the way is trusted`,
        error,
      );
    }
  }
  if (!encryption.isHere) logger.warn('connects without encryption, because the server offers none', { server });
  return how.open(false);
}
