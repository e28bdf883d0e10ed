/** Builds the site of the documentation into a folder if its sources have changed, and says whether they had. */
export function buildDocs(folder: string): Promise<boolean>;
