import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { worded } from '../../kit/worded.ts';
import { AppError, type SourcePreset } from '../../ports/index.ts';

/** The program's presets are next to the bundle, just as they are next to this file. */
const SHIPPED = fileURLToPath(new URL('./presets/', import.meta.url));

const name = z.string().min(1);

/** Members of every preset. */
export const presetMembers = {
  title: name,
  description: name,
  /** Address of the vendor's documentation of the interface. */
  documentation: z.string().optional(),
  /** The systems or data that the preset was tested with. */
  tried: z.string().optional(),
  /** The address, for a service that has only one. */
  url: z.string().optional(),
  parameters: z
    .record(
      z.string().regex(/^[a-z]\w*$/, 'must be a word in lower case'),
      z.strictObject({
        description: z.string(),
        default: z.string().optional(),
      }),
    )
    .default({}),
} as const;

/** As far as all presets are alike. */
export type AnyPreset = z.output<z.ZodObject<typeof presetMembers>> & {
  readonly options: Readonly<Record<string, unknown>>;
};

/** Bodies may be documents: their texts are templates in that case too. */
export const presetOption = z
  .unknown()
  .transform((value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value));

/** The location and schema of one kind of presets. */
export interface PresetKind<T extends AnyPreset> {
  /** Below the folders of presets; empty for these themselves. */
  readonly within: string;
  readonly schema: z.ZodType<T>;
}

interface PresetFile {
  readonly name: string;
  /** Comes with the program. */
  readonly shipped: boolean;
  readonly path: string;
}

/** Returns the presets of the program and those of a folder; if both have one of the same name, that of the folder counts. */
export async function presetFiles(
  { within }: Pick<PresetKind<AnyPreset>, 'within'>,
  folder: string,
): Promise<readonly PresetFile[]> {
  const files = new Map<string, PresetFile>();
  for (const [root, shipped] of [
    [SHIPPED, true],
    [folder, false],
  ] as const) {
    const place = root === '' ? '' : join(root, within);
    for (const file of place === '' ? [] : await namesIn(place)) {
      const called = /^([a-z0-9][a-z0-9_-]{0,60})\.(?:ya?ml|json)$/.exec(file)?.[1];
      if (called !== undefined) files.set(called, { name: called, shipped, path: join(place, file) });
    }
  }
  return [...files.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

export async function namedPreset<T extends AnyPreset>(
  kind: PresetKind<T>,
  called: string,
  folder: string,
): Promise<T> {
  const files = await presetFiles(kind, folder);
  const file = files.find((one) => one.name === called);
  if (file !== undefined) return readPreset(kind, file);
  const known = files.map((one) => one.name).join(', ');
  throw new AppError('invalid_input', worded`there is no preset ${{ preset: called }}; there are ${{ known }}`);
}

/** All that can be read; one that cannot says so in its place. */
export async function listedPresets<T extends AnyPreset>(
  kind: PresetKind<T>,
  folder: string,
): Promise<readonly SourcePreset[]> {
  const files = await presetFiles(kind, folder);
  return Promise.all(
    files.map(async (file): Promise<SourcePreset> => {
      const { name: called, shipped } = file;
      try {
        const { title, description, parameters } = await readPreset(kind, file);
        return { name: called, title, description, shipped, parameters };
      } catch (error) {
        const description = error instanceof Error ? error.message : String(error);
        return { name: called, title: called, description, shipped, parameters: {} };
      }
    }),
  );
}

async function readPreset<T extends AnyPreset>(
  { schema }: PresetKind<T>,
  { name: called, path }: PresetFile,
): Promise<T> {
  // The parser is loaded by those who read a preset, and not with every command.
  const { parse } = await import('./preset-text.ts');
  let document: unknown;
  try {
    document = parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new AppError(
      'invalid_input',
      worded`the preset ${{ preset: called }} cannot be read: ${{ reason: error instanceof Error ? error.message : String(error) }}`,
    );
  }
  const checked = schema.safeParse(document);
  if (checked.success) return checked.data;
  const details = checked.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim());
  throw new AppError(
    'invalid_input',
    worded`the preset ${{ preset: called }} is not valid: ${{ details: details.join('; ') }}`,
  );
}
