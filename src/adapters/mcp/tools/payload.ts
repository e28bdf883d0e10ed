import * as z from 'zod';
import { JsonRefusal, parseJson } from '../../../kit/json/parse-json.ts';
import { AppError } from '../../../ports/index.ts';

const exportSchema = z.looseObject({
  rules: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]),
  rule_type: z.string().optional(),
});

/** An export as it came, as an object or as text. */
export const payloadSchema = z
  .union([exportSchema, z.string()], {
    error: 'must be {"rules": {"<rule_type>": […]}}, {"rule_type": …, "rules": […]} or JSON lines',
  })
  .describe(
    'An export: {"rules": {"<rule_type>": […]}}, or {"rule_type": …, "rules": […]}, or the same as text, or JSON lines',
  );

/** The members of the import's input that a payload becomes. */
export function payloadMembers(payload: z.infer<typeof payloadSchema>): Record<string, unknown> {
  const document = typeof payload === 'string' ? exportOf(payload) : payload;
  if (document === undefined) return { lines: payload };
  return { rules: document.rules, ...(document.rule_type === undefined ? {} : { rule_type: document.rule_type }) };
}

/** The export that a text is; `undefined` for JSON lines. */
function exportOf(text: string): z.infer<typeof exportSchema> | undefined {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    if (!(cause instanceof JsonRefusal)) throw cause;
    if (cause.isMalformed) return undefined;
    throw new AppError('invalid_input', `payload: the text ${cause.reason}; nothing was imported`, { cause });
  }
  return exportSchema.safeParse(value).data;
}
