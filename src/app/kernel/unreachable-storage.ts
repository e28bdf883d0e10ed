import { maskedAddress } from '../../kit/masking/masked-address.ts';
import { AppError, type Storage } from '../../ports/index.ts';

/** The storage behind an address, whose failing start says which address it was and what to check. */
export function withNamedStart(storage: Storage, url: string): Storage {
  return {
    ...storage,
    async start() {
      try {
        await storage.start();
      } catch (error) {
        throw startError(error, maskedAddress(url));
      }
    },
  };
}

/** Before anything works, a fault of the driver is one of the address, and only the driver's words say which. */
function startError(error: unknown, address: string): AppError {
  if (error instanceof AppError && error.code === 'store_missing') return error;
  const expected = error instanceof AppError && error.code !== 'internal' ? error : undefined;
  const cause = expected ?? (error instanceof AppError ? error.cause : error);
  const reason = (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '');
  return new AppError(
    expected?.code ?? 'failed',
    `the database ${address} cannot be opened: ${reason}. Check DATABASE_URL, or the address that was given.`,
    {
      cause: error,
      ...(expected?.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: expected.retryAfterSeconds }),
    },
  );
}
