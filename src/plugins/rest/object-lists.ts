import * as z from 'zod';
import { AppError } from '../../ports/index.ts';
import { recordMembers, requestMembers } from './options.ts';
import { mappingSchema } from './preset.ts';
import { presetOption } from './preset-files.ts';

const objectListSchema = z.strictObject({
  ...requestMembers(),
  ...recordMembers(),
  body: presetOption.pipe(z.string()).default(''),
  record_type: z.string().trim().min(1).max(64),
  hostname_field: z.string().min(1).default('name'),
  join: z.array(z.record(z.string(), presetOption)).default([]),
  map: mappingSchema.prefault({}),
});

/** A further list whose records are objects. */
export type ObjectList = z.output<typeof objectListSchema> & {
  /** What it is called, for people. */
  readonly called: string;
};

/** The lists that the option `objects` names, or has. Throws `AppError('invalid_input')` for what is none. */
export function objectLists(option: string, offered: Readonly<Record<string, unknown>>): readonly ObjectList[] {
  const text = option.trim();
  if (text === '') return [];
  if (/^[[{]/.test(text)) return entriesOf(text).map((entry, index) => checked(entry, `number ${index + 1}`));
  const names = text.split(',').map((name) => name.trim());
  return names.map((name) => {
    if (Object.hasOwn(offered, name)) return checked(offered[name], name);
    const known = Object.keys(offered).join(', ');
    throw invalid(`names ${name}, which the preset does not have; it has ${known || 'none'}`);
  });
}

function entriesOf(text: string): readonly unknown[] {
  try {
    const entries: unknown = JSON.parse(text);
    return Array.isArray(entries) ? entries : [entries];
  } catch {
    throw invalid('must be names of lists, or a JSON list of objects');
  }
}

function checked(entry: unknown, called: string): ObjectList {
  const result = objectListSchema.safeParse(entry);
  if (result.success) return { ...result.data, called: /^number /.test(called) ? result.data.record_type : called };
  const details = result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim());
  throw invalid(`${called} is not valid: ${details.join('; ')}`);
}

function invalid(message: string): AppError {
  return new AppError('invalid_input', `objects ${message}`);
}
