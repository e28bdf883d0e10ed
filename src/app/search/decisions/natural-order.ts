/** The order in which people count: `srv9` before `srv10`, whatever the case. */
export const naturalOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
