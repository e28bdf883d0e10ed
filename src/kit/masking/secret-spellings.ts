/** Encoded pieces of shorter ones would be found in words that have nothing to do with them. */
const MIN_BYTES_INSIDE = 6;

/**
 * A secret in the spellings that systems echo it in: as it is, in addresses, in forms, in JSON and markup, and in base64,
 * alone or inside of something longer such as `user:password`.
 */
export function secretSpellings(secret: string, usernames: Iterable<string> = []): readonly string[] {
  const spellings = new Set<string>();
  for (const text of new Set([secret, secret.trim()])) {
    if (text === '') continue;
    spellings.add(text);
    for (const spelling of [...inAddresses(text), ...inDocuments(text)]) spellings.add(spelling);
    for (const encoding of encodingsOf(text)) {
      for (const spelling of inBase64(Buffer.from(text, encoding))) spellings.add(spelling);
    }
    for (const name of usernames) {
      const pair = `${name}:${text}`;
      for (const encoding of encodingsOf(pair)) {
        for (const spelling of base64Of(Buffer.from(pair, encoding))) spellings.add(spelling);
      }
    }
  }
  return [...spellings];
}

function encodingsOf(text: string): readonly BufferEncoding[] {
  // Latin-1 of what it cannot hold is another text.
  return Buffer.from(text, 'latin1').toString('latin1') === text ? ['utf8', 'latin1'] : ['utf8'];
}

function inAddresses(text: string): readonly string[] {
  // A lone half of a surrogate pair has no such spelling.
  const sound = Buffer.from(text).toString();
  const component = encodeURIComponent(sound);
  const strict = component.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([['', sound]]).toString().slice(1);
  const address = new URL('http://host');
  address.username = 'user';
  address.password = sound;
  const spellings = [component, strict, form, encodeURI(sound), address.password];
  const lower = spellings.map((spelling) => spelling.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
  return [...spellings, ...lower];
}

function inDocuments(text: string): readonly string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const slashes = json.replaceAll('/', '\\/');
  const ascii = [json, slashes].map((spelling) =>
    spelling.replace(/[\u0080-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
  const markup = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = markup.replaceAll('"', '&quot;');
  const quotes = ['&#39;', '&#x27;', '&apos;'].map((sign) => quoted.replaceAll("'", sign));
  return [json, slashes, ...ascii, markup, quoted, ...quotes];
}

/** The whole, and what stands for sure in the encoding of anything that contains it, whatever is before and behind it. */
function inBase64(bytes: Buffer): readonly string[] {
  const whole = base64Of(bytes);
  if (bytes.length < MIN_BYTES_INSIDE) return whole;
  const inside = [0, 1, 2].flatMap((before) => {
    const first = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    return base64Of(Buffer.concat([Buffer.alloc(before), bytes])).map((text) => text.slice(first, end));
  });
  return [...whole, ...inside];
}

function base64Of(bytes: Buffer): readonly string[] {
  return [bytes.toString('base64'), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
}
