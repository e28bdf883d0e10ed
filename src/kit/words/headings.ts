/** Headings of the options of accounts, in the order in which forms show them; a plugin may have others. */
export const HEADINGS = ['Where', 'Which', 'What becomes of it', 'When it goes'] as const;
