#!/usr/bin/env node
// `npm run messages`: brings the catalogues of texts up to what the pages mark, and lists what is not translated yet.
import { catalogues, messagesOfPages, updateCatalogue } from './messages/catalogue.mjs';
import { note } from './report.mjs';

const marked = await messagesOfPages();
for (const catalogue of catalogues()) {
  const missing = await updateCatalogue(catalogue, marked);
  note(`${catalogue.language}: ${marked.size - missing.length} of ${marked.size} texts are translated`);
  for (const message of missing) note(`  ${JSON.stringify(message)}`);
}
