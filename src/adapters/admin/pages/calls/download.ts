import type { OfferedInput, OfferedName } from '../../offered-operations.ts';
import { post } from './call.ts';

/** Saves the answer of an operation as a file of the browser, without reading it. */
export async function download<Name extends OfferedName>(
  name: Name,
  input: OfferedInput<Name>,
  fileName: string,
): Promise<void> {
  const response = await post(name, input, 'application/json');
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser has taken the file over by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
