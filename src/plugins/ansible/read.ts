import { fileFault } from '../../kit/file-source/fault.ts';
import { readText } from '../../kit/file-source/read-text.ts';
import { RecordMaker } from '../../kit/records/record-maker.ts';
import { worded } from '../../kit/worded.ts';
import type { ReadContext, SourceFiles, SourceItem, SourceServices } from '../../ports/index.ts';
import { type Inventory, readOutput } from './inventory.ts';
import type { AnsibleOptions } from './options.ts';
import { recordsOf } from './records.ts';
import { MOST_BYTES, programVersion, runInventory } from './run.ts';

type Services = Pick<SourceServices, 'files' | 'programs'>;

const BATCH_SIZE = 500;

/** Reads a whole inventory, since the groups of hosts follow after the hosts, and yields it in batches. */
export async function* readInventory(
  options: AnsibleOptions,
  services: Services,
  context: ReadContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  context.signal.throwIfAborted();
  // The name is not among the variables.
  const maker = await RecordMaker.of({ ...options, hostname_field: '' });
  const { inventory, gaps } = await wholeInventory(options, services, context);
  if (gaps.length > 0) yield gaps;
  const total = inventory.hosts.size;
  let done = 0;
  let batch: SourceItem[] = [];
  for (const item of recordsOf(inventory, options, maker)) {
    batch.push(item);
    if (batch.length < BATCH_SIZE) continue;
    context.signal.throwIfAborted();
    done += batch.length;
    context.progress(Math.min(done, total), total);
    yield batch;
    batch = [];
  }
  batch.push(...maker.leftOut());
  if (batch.length > 0) yield batch;
}

interface Whole {
  readonly inventory: Inventory;
  /** Parts of it that could not be read. */
  readonly gaps: readonly SourceItem[];
}

async function wholeInventory(options: AnsibleOptions, services: Services, context: ReadContext): Promise<Whole> {
  if (options.reads === 'output') {
    const inventory = readOutput(await savedOutput(options, services.files, context), options.path);
    return { inventory: ofWantedForm(inventory, options), gaps: [] };
  }
  const takesObjects = options.groups === 'relations' || options.groups === 'both';
  const isOwn = options.variables === 'own';
  const first = await runInventory(options, services, { isExport: isOwn, context });
  const inventory = readOutput(first.output, options.path);
  if (isOwn || !takesObjects) return { inventory, gaps: first.gaps };
  // The owner of a variable is only known from a separate form of the output, in which hosts have just their own.
  const second = await runInventory(options, services, { isExport: true, context });
  const { groups } = readOutput(second.output, options.path);
  return { inventory: { ...inventory, groups }, gaps: first.gaps.length > 0 ? first.gaps : second.gaps };
}

function ofWantedForm(inventory: Inventory, { variables, path }: AnsibleOptions): Inventory {
  if (variables === 'effective' && [...inventory.groups.values()].some(({ variables: own }) => own !== undefined)) {
    throw fileFault(
      path,
      worded`was written with --export, where hosts lack the variables of their groups; write it without, or set variables=own of the account`,
    );
  }
  return inventory;
}

/** Returns a description of the input, and of the program that reads it. */
export async function checkInventory(
  options: AnsibleOptions,
  services: Services,
  { signal }: { readonly signal: AbortSignal },
): Promise<string> {
  if (options.reads === 'output') {
    const file = await services.files.locate(options.path);
    return `${file.path}, an answer of ansible-inventory`;
  }
  const { path, isFolder } = await services.files.place(options.path);
  return `${isFolder ? 'the folder' : 'the file'} ${path}, read by ${await programVersion(options, services, signal)}`;
}

/** Returns output of ansible-inventory that was saved to a file. */
async function savedOutput(
  { path }: Pick<AnsibleOptions, 'path'>,
  files: SourceFiles,
  context: ReadContext,
): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of readText({ path, encoding: 'utf-8' }, files, context)) {
    length += part.length;
    if (length > MOST_BYTES)
      throw fileFault(path, worded`has more than ${{ millions: MOST_BYTES / 1024 / 1024 }} million characters`);
    parts.push(part);
  }
  return parts.join('');
}
