export function messagesOfPages(): Promise<
  Map<string, { message: string; context: string | undefined; files: Set<string> }>
>;
export function catalogues(): { language: string; path: string }[];
export function compiledCatalogue(text: string, part?: 'first' | 'pages' | 'service'): Record<string, unknown[]>;
export function readCatalogue(text: string): Map<string, string>;
