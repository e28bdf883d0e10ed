/** How the documentation is searched: by its reader's browser, and by the test of it. */
export const searchOptions = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['page', 'heading', 'href', 'text'],
  searchOptions: {
    boost: { heading: 5, page: 3 },
    combineWith: 'AND',
    prefix: true,
    // Declarations and the list of changes name everything, and explain little of it.
    boostDocument: (_id, _term, { href }) => (/\.api\.html|^changelog/.test(href) ? 0.2 : 1),
    // A slip in a word, but none in what is short or has a digit, such as a port.
    fuzzy: (term) => (term.length > 4 && !/\d/.test(term) ? 0.2 : false),
  },
};
