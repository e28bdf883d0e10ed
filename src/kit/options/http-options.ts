import { AppError } from '../../ports/index.ts';
import { headersOf } from './http-headers.ts';

/** Options for requests to other systems, which accounts of existing installations may have whatever their type is. */
export const HTTP_OPTIONS: ReadonlySet<string> = new Set([
  'http_proxy',
  'custom_headers',
  'request_headers',
  'request_timeout',
  'verify_cert',
  'ca_cert_chain',
  'ca_root_cert',
]);

const SECRET_HEADER = /auth|cookie|credential|key|passw|secret|session|signature|token/i;
/** `{{ACCOUNT:<account>:<field>}}` refers to a secret that is stored elsewhere. */
const MACRO = /\{\{\s*ACCOUNT:[^}]*\}\}/g;

/** Whether the value of such an option holds a secret, which its name does not say: a header that logs in, a proxy's password. */
export function holdsHttpSecret(option: string, value: string): boolean {
  const text = value.replaceAll(MACRO, '');
  if (option === 'http_proxy') return /:\/\/[^/@]*:[^/@]+@/.test(text) || /^[^/@]*:[^/@]+@/.test(text);
  return option.endsWith('_headers') && holdsSecretHeader(option, text);
}

/** As requests read the headers. Where those cannot, the text holds a secret if it speaks of one. */
function holdsSecretHeader(option: string, text: string): boolean {
  try {
    const headers = Object.entries(headersOf(option, text));
    return headers.some(
      ([name, value]) => SECRET_HEADER.test(name) && !/^(?:bearer|basic|token)?$/i.test(value.trim()),
    );
  } catch (error) {
    if (error instanceof AppError) return SECRET_HEADER.test(text);
    throw error;
  }
}
