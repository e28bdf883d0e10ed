import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { AppError, type SourcePreset } from '../../ports/index.ts';

/** Presets of the program lie beside the bundle, as they lie beside this file. */
const SHIPPED = fileURLToPath(new URL('./presets/', import.meta.url));

const name = z.string().min(1);
const names = z.union([name.transform((one) => [one]), z.array(name).min(1)]);
const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** Bodies may stand as documents: their texts are templates all the same. */
const optionValue = z
  .unknown()
  .transform((value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value));

const mappingSchema = z.strictObject({
  /** Labels, and the members that they are taken from. */
  labels: z.record(name, name).default({}),
  /** drop: members that are null or an empty text make no label. */
  empty: z.enum(['keep', 'drop']).default('keep'),
  /** What becomes of members that nothing is said about. */
  others: z.enum(['keep', 'drop']).default('keep'),
  /** Members that no label is made of. */
  without: z.array(name).default([]),
  /** Labels, and what their values are called. */
  values: z.record(name, z.record(z.string(), scalar)).default({}),
  /** Labels whose text is a list, and what separates its parts. */
  split: z.record(name, z.string().min(1)).default({}),
  /** Sections of the inventory, and the members that they are taken from. */
  sections: z.record(name, name).default({}),
  /** Edges to other hosts, and the members that name those. */
  relations: z.array(z.strictObject({ type: name, target: name })).default([]),
  /** A list of names and values whose pairs become labels; of several members for the value the first counts. */
  pairs: z
    .strictObject({
      list: name,
      name,
      value: names,
      prefix: z.string().default(''),
      /** A list beside the records that says what the names in the pairs are called. */
      names: z.strictObject({ list: name, key: name, value: name }).optional(),
    })
    .optional(),
});

export type Mapping = z.output<typeof mappingSchema>;

const presetSchema = z.strictObject({
  title: name,
  description: name,
  /** Where the vendor describes the interface. */
  documentation: z.string().optional(),
  /** What it was tried with. */
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
  options: z.record(name, optionValue).default({}),
  join: z.array(z.record(name, optionValue)).default([]),
  map: mappingSchema.prefault({}),
});

export type Preset = z.output<typeof presetSchema>;

export const NO_MAPPING: Mapping = mappingSchema.parse({});

interface PresetFile {
  readonly name: string;
  /** Comes with the program. */
  readonly shipped: boolean;
  readonly path: string;
}

/** Presets of the program, and those of a folder; where both have one of a name, that of the folder counts. */
export async function presetFiles(folder: string): Promise<readonly PresetFile[]> {
  const files = new Map<string, PresetFile>();
  for (const [place, shipped] of [
    [SHIPPED, true],
    [folder, false],
  ] as const) {
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

export async function namedPreset(called: string, folder: string): Promise<Preset> {
  const files = await presetFiles(folder);
  const file = files.find((one) => one.name === called);
  if (file !== undefined) return readPreset(file);
  const known = files.map((one) => one.name).join(', ');
  throw new AppError('invalid_input', `there is no preset ${called}; there are ${known}`);
}

/** All that can be read; one that cannot says so in its place. */
export async function listedPresets(folder: string): Promise<readonly SourcePreset[]> {
  const files = await presetFiles(folder);
  return Promise.all(
    files.map(async (file): Promise<SourcePreset> => {
      const { name: called, shipped } = file;
      try {
        const { title, description, parameters } = await readPreset(file);
        return { name: called, title, description, shipped, parameters };
      } catch (error) {
        const description = error instanceof Error ? error.message : String(error);
        return { name: called, title: called, description, shipped, parameters: {} };
      }
    }),
  );
}

async function readPreset({ name: called, path }: PresetFile): Promise<Preset> {
  // The parser is loaded by those who read a preset, and not with every command.
  const { parse } = await import('./preset-text.ts');
  let document: unknown;
  try {
    document = parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new AppError(
      'invalid_input',
      `the preset ${called} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const checked = presetSchema.safeParse(document);
  if (checked.success) return checked.data;
  const details = checked.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim());
  throw new AppError('invalid_input', `the preset ${called} is not valid: ${details.join('; ')}`);
}
