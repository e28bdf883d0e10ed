export function messagesOfPages(): Promise<
  Map<string, { message: string; context: string | undefined; files: Set<string> }>
>;
export function catalogues(): { language: string; path: string }[];
export function readCatalogue(text: string): Map<string, string>;
