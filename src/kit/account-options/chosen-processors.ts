import * as z from 'zod';
import { AppError, type ChosenProcessor, type RecordProcessorType } from '../../ports/index.ts';
import { issueText, PLAIN_MESSAGES } from '../plain-message.ts';
import { phrase, worded } from '../worded.ts';

const PROBLEM = phrase`must be names separated by commas, or a JSON list of names and of objects: [{"use": "rack-names", "options": {}}]`;

const name = z.string().trim().min(1);
const chosen = z.union([
  name.transform((use): ChosenProcessor => ({ use, options: {} })),
  z.strictObject({ use: name, options: z.record(z.string(), z.json()).default({}) }),
]);
const list = z.array(chosen, PROBLEM);

/** The processors of an account, in the order in which records go through them; as text they may be names alone. */
export function processorList(): z.ZodType<readonly ChosenProcessor[]> {
  return z.union([list, z.string().transform(partsOf).pipe(list)], PROBLEM);
}

function partsOf(text: string): unknown {
  if (!text.trim().startsWith('[')) return text.split(',').filter((part) => part.trim() !== '');
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A processor with its options checked. */
export interface CheckedProcessor {
  readonly pluginId: string;
  readonly type: RecordProcessorType;
  readonly options: unknown;
}

/** Those that plugins have registered. */
interface KnownProcessors {
  recordProcessor(id: string): { readonly pluginId: string; readonly item: RecordProcessorType } | undefined;
  recordProcessorIds(): readonly string[];
}

/**
 * The processors that an account names. Throws for one that is not there: without it, records would be taken for hosts that it would have
 * left out or named differently.
 */
export function checkedProcessors(
  plugins: KnownProcessors,
  processors: readonly ChosenProcessor[],
): readonly CheckedProcessor[] {
  return processors.map(({ use, options }) => {
    const registered = plugins.recordProcessor(use);
    if (registered === undefined) {
      const known = plugins.recordProcessorIds().join(', ');
      const which = known === '' ? worded`no plugin provides any` : worded`known ones: ${{ known }}`;
      throw new AppError('invalid_input', worded`processors: there is no processor ${{ name: use }}; ${{ which }}`);
    }
    const { pluginId, item: type } = registered;
    const parsed = type.options.safeParse(options, PLAIN_MESSAGES);
    if (parsed.success) return { pluginId, type, options: parsed.data };
    const problems = parsed.error.issues.map(issueText);
    throw new AppError('invalid_input', `processors: options of ${use}: ${problems.join('; ')}`);
  });
}
