/**
 * Longest file, in characters, that can be uploaded on a page; it is held in memory as a whole. Larger files must be placed where
 * the service reads them.
 */
export const MOST_UPLOADED_CHARACTERS = 5_000_000;

/** The suffix of names of uploaded files, which distinguishes them from those of the operator. */
const UPLOADED = /-[0-9a-f]{6}\.(?:csv|json|yaml|xlsx)$/;

export function isUploaded(path: string): boolean {
  return UPLOADED.test(path);
}
