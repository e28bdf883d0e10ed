import { ENVELOPE_MEMBERS } from './envelope-members.ts';
import { LIST_MEMBERS } from './fields/list-fields.tsx';

/** Members that the envelope's fields and the conditions already cover. */
export const OTHER_FIELDS: ReadonlySet<string> = new Set([...ENVELOPE_MEMBERS, ...LIST_MEMBERS]);
