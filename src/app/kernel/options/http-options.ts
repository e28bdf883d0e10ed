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
/** `{{ACCOUNT:<account>:<field>}}` names a secret that stands elsewhere. */
const MACRO = /\{\{\s*ACCOUNT:[^}]*\}\}/g;

/** Whether the value of such an option holds a secret, which its name does not say: a header that logs in, a proxy's password. */
export function holdsHttpSecret(option: string, value: string): boolean {
  const text = value.replaceAll(MACRO, '');
  if (option === 'http_proxy') return /:\/\/[^/@]*:[^/@]+@/.test(text) || /^[^/@]*:[^/@]+@/.test(text);
  return (
    option.endsWith('_headers') &&
    headersOf(text).some(([name, written]) => SECRET_HEADER.test(name) && isSaid(written))
  );
}

/** `Name: value | Name: value`, or an object in Python's or JSON's words. */
function headersOf(text: string): readonly (readonly [name: string, value: string])[] {
  const isObject = text.trim().startsWith('{');
  const parts = isObject
    ? text
        .trim()
        .replace(/^\{|\}$/g, '')
        .split(/,(?=\s*['"])/)
    : text.split('|');
  return parts.map((part) => {
    const colon = part.indexOf(':');
    return [part.slice(0, Math.max(colon, 0)), part.slice(colon + 1)] as const;
  });
}

/** Something beside the scheme (`Bearer`) that stands before a macro. */
function isSaid(value: string): boolean {
  return !/^["'\s]*(?:bearer|basic|token)?["'\s]*$/i.test(value);
}
