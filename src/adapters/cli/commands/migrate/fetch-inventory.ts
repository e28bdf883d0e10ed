import { counted } from '../../../../kit/words/amounts.ts';
import { AppError } from '../../../../ports/errors.ts';

export interface FetchedInventory {
  /** Address of the inventory or of the installation: its root or its `/api/v1`. */
  readonly url: string;
  readonly provider: string;
  /** `name:secret` */
  readonly login: string | undefined;
  readonly signal: AbortSignal;
  /** Limits, for tests. */
  readonly seconds?: number;
  readonly maxBytes?: number;
}

const SECONDS = 300;
const MAX_BYTES = 512 * 1024 * 1024;
const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches the inventory of another installation. It follows redirects to the same host and protocol only, because it carries a
 * password, and gives up on an answer that takes too long or is too large.
 */
export async function fetchInventory(wanted: FetchedInventory): Promise<string> {
  const { login, seconds = SECONDS } = wanted;
  const signal = AbortSignal.any([wanted.signal, AbortSignal.timeout(seconds * 1000)]);
  const headers = { accept: 'application/json', ...(login === undefined ? {} : { 'x-login-user': login }) };
  let url = inventoryUrl(wanted.url, wanted.provider);
  try {
    for (let redirects = 0; ; redirects++) {
      const response = await fetch(url, { headers, signal, redirect: 'manual' });
      if (!REDIRECTS.has(response.status)) return await textOf(response, wanted.maxBytes ?? MAX_BYTES);
      await response.body?.cancel();
      const next = new URL(response.headers.get('location') ?? '', url);
      if (next.origin !== url.origin) throw failure(`leads to ${next.origin}; name that address if it is right`);
      if (redirects >= MAX_REDIRECTS) throw failure('leads from one address to the next');
      url = next;
    }
  } catch (cause) {
    if (cause instanceof AppError || wanted.signal.aborted) throw cause;
    const isLate = signal.aborted;
    throw failure(
      isLate ? `did not answer within ${counted(seconds, 'second')}` : `cannot be reached: ${reasonOf(cause)}`,
      cause,
    );
  }
}

function inventoryUrl(text: string, provider: string): URL {
  if (!URL.canParse(text)) throw new AppError('invalid_input', '--url is not an address; write https://host/…');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new AppError('invalid_input', '--url must begin with https:// or http://');
  }
  if (url.username !== '' || url.password !== '') {
    throw new AppError('invalid_input', 'name the user by --user and not in --url, where others can read it');
  }
  // There the provider without a project is called ansible.
  const name = encodeURIComponent(provider === 'automation' ? 'ansible' : provider);
  const base = url.pathname.replace(/\/+$/, '');
  if (base === '') url.pathname = `/api/v1/ansible/inventory/${name}`;
  else if (base.endsWith('/api/v1')) url.pathname = `${base}/ansible/inventory/${name}`;
  return url;
}

async function textOf(response: Response, maxBytes: number): Promise<string> {
  if (response.status === 401 || response.status === 403) {
    await response.body?.cancel();
    throw failure(`refuses the login (${response.status}); name a user that may read inventories by --user`);
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw failure(`answers ${response.status}; check the address and the name of the provider`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw failure(`answers more than ${maxBytes} bytes; compare a file instead`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function failure(problem: string, cause?: unknown): AppError {
  return new AppError('failed', `the other installation ${problem}`, { cause });
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: Error };
  return cause?.message || message;
}
