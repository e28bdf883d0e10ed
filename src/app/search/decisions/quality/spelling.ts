import { foldedText } from '../folded-text.ts';

/** A value without what people write now so and now so: case and spaces. */
export function spelledAlike(text: string): string {
  return foldedText(text).replaceAll(/\s+/g, '');
}
