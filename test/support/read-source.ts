import type { Source, SourceItem } from '../../src/ports/index.ts';

/** All that a source says. */
export async function itemsOf(source: Source, signal = new AbortController().signal): Promise<SourceItem[]> {
  const items: SourceItem[] = [];
  for await (const batch of source.read({ signal, progress: () => undefined })) items.push(...batch);
  return items;
}

/** The code and message that a read fails with. */
export async function faultOf(source: Source): Promise<string> {
  try {
    await itemsOf(source);
  } catch (error) {
    const { name, code, message } = error as { name: string; code: string; message: string };
    if (name === 'AppError') return `${code}: ${message}`;
    throw error;
  }
  throw new Error('the read did not fail');
}
