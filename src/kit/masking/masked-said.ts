import type { Wording, WordingParts } from '../../ports/index.ts';
import type { Said } from '../worded.ts';
import { maskedValue } from './masked-value.ts';

type Mask = (text: string) => string;

/** A sentence with everything in it masked, however deep its parts lie. */
export function maskedSaid(said: Said, mask: Mask): Said {
  return typeof said === 'object' ? maskedWording(said, mask) : mask(String(said));
}

export function maskedParts({ template, values }: WordingParts, mask: Mask): WordingParts {
  return {
    template: mask(template),
    values: Object.fromEntries(Object.entries(values).map(([name, value]) => [mask(name), maskedPart(value, mask)])),
  };
}

function maskedWording(wording: Wording, mask: Mask): Wording {
  return { text: mask(wording.text), ...maskedParts(wording, mask) };
}

function maskedPart(value: Wording['values'][string], mask: Mask): Wording['values'][string] {
  return typeof value === 'object' ? maskedWording(value, mask) : (maskedValue(value, mask) as string | number);
}
