/** Builds the site of the documentation into a folder if its sources have changed or `clean` is set, and says whether it did. */
export function buildDocs(folder: string, options?: { readonly clean?: boolean }): Promise<boolean>;
