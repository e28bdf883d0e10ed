export const NAME_MODES = ['', 'string', 'jinja', 'convert_list', 'prefix'] as const;
export const VALUE_MODES = ['', 'string', 'split', 'jinja'] as const;

export type NameMode = (typeof NAME_MODES)[number];
export type ValueMode = (typeof VALUE_MODES)[number];

export function readNameMode(text: string): NameMode | undefined {
  return NAME_MODES.find((mode) => mode === text);
}

export function readValueMode(text: string): ValueMode | undefined {
  return VALUE_MODES.find((mode) => mode === text);
}

export interface Split {
  readonly separator: string;
  readonly index: number;
}

/** `SEP:INDEX`; the last colon separates, so that the separator may be a colon. A negative index counts from the end. */
export function readSplit(text: string): Split | string {
  const colon = text.lastIndexOf(':');
  if (colon < 0) return 'must be SEPARATOR:INDEX, with a colon between';
  const separator = text.slice(0, colon);
  const index = text.slice(colon + 1).trim();
  if (separator === '') return 'has no separator before the colon';
  if (!/^[+-]?\d+$/.test(index)) return 'has no number after the last colon';
  return { separator, index: Number(index) };
}
