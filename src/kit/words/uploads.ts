/** How long a file may be that somebody uploads on a page; it is held in memory as a whole. Larger ones are put where the service reads them. */
export const MOST_UPLOADED_CHARACTERS = 5_000_000;
