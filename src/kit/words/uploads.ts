/** How long a file may be that somebody uploads on a page; it is held in memory as a whole. Larger ones are put where the service reads them. */
export const MOST_UPLOADED_CHARACTERS = 5_000_000;

/** How uploaded files are named, which tells them from those of the operator. */
const UPLOADED = /-[0-9a-f]{6}\.(?:csv|json|yaml|xlsx)$/;

export function isUploaded(path: string): boolean {
  return UPLOADED.test(path);
}
