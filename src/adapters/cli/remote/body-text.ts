import { AppError } from '../../../ports/errors.ts';

/** Lines of a body, without their ends. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const begun: string[] = [];
  for await (const chunk of body) {
    const parts = decoder.decode(chunk, { stream: true }).split('\n');
    for (const part of parts.slice(0, -1)) {
      begun.push(part);
      yield begun.join('');
      begun.length = 0;
    }
    begun.push(parts.at(-1) ?? '');
  }
  const last = begun.join('') + decoder.decode();
  if (last !== '') yield last;
}

/** A body that is short, as text. */
export async function wholeText(body: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > most) throw new AppError('too_large', 'the answer is longer than it may be');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
