/** A text as it stands in JSON, without the quotation marks: what a longer text may hold. */
export function quotedPart(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
