import type { StreamAnswer } from '../../../app/kernel/operation.ts';

/** A streamed answer as one text, for answers that are bounded. */
export async function wholeText(answer: StreamAnswer): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of answer.body) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
