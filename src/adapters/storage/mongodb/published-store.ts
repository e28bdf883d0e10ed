import type { PublishedContent, PublishedStore } from '../../../ports/index.ts';
import { withoutBody } from '../shared/published-files.ts';
import { compareUtf8 } from '../shared/utf8-order.ts';
import type { Session } from './session.ts';

/** Files that exports publish, one document per account. */
export function mongodbPublished(session: Session): PublishedStore {
  return {
    replace: (accountId, files) =>
      session.run(async ({ database }) => {
        const replacement = { files: files.map((file) => ({ ...withoutBody(file), body: file.body })) };
        await database.published.replaceOne({ _id: accountId }, replacement, { upsert: true });
      }),

    list: (accountId) =>
      session.run(async ({ database }) => {
        const doc = await database.published.findOne({ _id: accountId }, { projection: { 'files.body': 0 } });
        return (doc?.files ?? []).map(withoutBody).sort((a, b) => compareUtf8(a.name, b.name));
      }),

    read: (accountId, name) =>
      session.run(async ({ database }) => {
        const projection = { files: { $elemMatch: { name } } };
        const doc = await database.published.findOne({ _id: accountId }, { projection });
        const file = doc?.files?.find((each: PublishedContent) => each.name === name);
        return file === undefined ? undefined : { ...withoutBody(file), body: file.body };
      }),
  };
}
