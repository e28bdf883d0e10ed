import { rewriteType } from '../../shared/rewrites/rule-type.ts';

/** Rewrites attributes for NetBox alone, after what is rewritten for everybody. */
export const netboxRewrites = rewriteType({
  id: 'netbox_rewrites',
  aliases: [],
  title: 'NetBox: rewritten attributes',
  description: 'Renames attributes and changes their values for exports to NetBox, before its other rules see them.',
  target: 'netbox',
});
