/** Deeper values are left out: a log line is no place for a whole answer of a remote system. */
const MAX_DEPTH = 6;

/** The value with every text in it masked: of objects, of lists, of errors and their causes. */
export function maskedValue(value: unknown, mask: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value === 'number' || typeof value === 'bigint') {
    return mask(String(value)) === String(value) ? value : mask(String(value));
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (value instanceof Error) return copyOf(value, mask, depth);
  if (value instanceof URL) return mask(value.href);
  // Bytes of a secret are the secret.
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `(${value.byteLength} bytes)`;
  if (Array.isArray(value)) return value.map((item) => maskedValue(item, mask, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [mask(name), maskedValue(item, mask, depth + 1)]),
  );
}

function copyOf(error: Error, mask: (text: string) => string, depth: number): Error {
  const { cause } = error;
  const copy = new Error(
    mask(String(error.message)),
    cause === undefined ? undefined : { cause: maskedValue(cause, mask, depth + 1) },
  );
  copy.name = mask(String(error.name));
  if (typeof error.stack === 'string') copy.stack = mask(error.stack);
  return copy;
}
