/** Returns a text as it appears in JSON, without the quotation marks, to search for it in a longer text. */
export function quotedPart(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
