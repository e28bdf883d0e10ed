import * as z from 'zod';

export const truncatedSchema = z
  .object({
    note: z.string().describe('Description of the missing part and how to get it'),
    next_start: z.number().int().optional().describe('Value of start for the call that continues'),
    left_out: z.array(z.string()).optional().describe('Members that are missing or shortened'),
  })
  .optional()
  .describe('Only present when the answer was cut');

export type Truncated = NonNullable<z.infer<typeof truncatedSchema>>;

/** Least room that a list item and an object member get; items and members for which it is not left are omitted. */
const ITEM_CHARACTERS = 1_000;
const MEMBER_CHARACTERS = 200;
/** Names and words of a choice are never cut. */
const SHORT_CHARACTERS = 200;
/** Answers that end by themselves may have so much around their entries. */
const FRAME_CHARACTERS = 1_000;
const MOST_NAMED = 20;

/** Returns the answer with at most `most` characters of JSON: small parts stay whole, and large ones share the rest. */
export function cutAnswer<Answer>(
  answer: Answer,
  most: number,
  { schema, rest = 'Ask for less at once' }: { readonly schema: z.ZodType; readonly rest?: string | undefined },
): Answer {
  const sizes = new Map<object, number>();
  if (sizeOf(answer, sizes) <= most + FRAME_CHARACTERS) return answer;
  for (let room = most; ; room *= 0.8) {
    const leftOut: string[] = [];
    const cut = fitted(answer, room, { path: '', schema, sizes, leftOut }) as Answer & object;
    // Required parts may exceed their share.
    if (room > ITEM_CHARACTERS && sizeOf(cut, new Map()) > most) continue;
    const note = `Cut, because an answer is limited to ${most} characters: left_out names what is missing or shortened. ${rest}; the REST API answers all of it.`;
    const named = leftOut.slice(0, MOST_NAMED);
    if (named.length < leftOut.length) named.push(`${leftOut.length - named.length} more`);
    const truncated: Truncated = { note, left_out: named };
    return { ...cut, truncated };
  }
}

interface Place {
  readonly path: string;
  /** Absent where anything may be. */
  readonly schema: z.ZodType | undefined;
  readonly sizes: Map<object, number>;
  readonly leftOut: string[];
}

function fitted(value: unknown, room: number, place: Place): unknown {
  const { path, sizes, leftOut } = place;
  if (sizeOf(value, sizes) <= room) return value;
  if (typeof value === 'string') {
    if (value.length <= SHORT_CHARACTERS) return value;
    leftOut.push(path);
    let text = value.slice(0, Math.max(SHORT_CHARACTERS, Math.floor(room) - 3));
    while (text.length > SHORT_CHARACTERS && sizeOf(text, sizes) > room) text = text.slice(0, text.length * 0.8);
    return `${text.replace(/[\uD800-\uDBFF]$/, '')}…`;
  }
  if (typeof value !== 'object' || value === null) return value;
  const schema = plainSchema(place.schema);
  const fixed = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : undefined;
  const element = schema instanceof z.ZodArray ? (schema.element as z.ZodType) : undefined;
  const isList = Array.isArray(value);
  const all = Object.entries(value).filter(([, member]) => member !== undefined);
  const least = isList ? ITEM_CHARACTERS : MEMBER_CHARACTERS;
  const costs = all.map(([name, member]) => sizeOf(member, sizes) + (isList ? 1 : name.length + 4));
  let left = room - 2;
  const end =
    fixed !== undefined
      ? -1
      : costs.findIndex((cost) => {
          left -= Math.min(cost, least);
          return left < 0;
        });
  const kept = end === -1 ? all : all.slice(0, end);
  if (kept.length < all.length) leftOut.push(`${path}: the last ${all.length - kept.length} of ${all.length}`);
  const cut = shares(costs.slice(0, kept.length), room - 2).map((share, index) => {
    const [name, member] = kept[index] as [string, unknown];
    const inner = isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    const frame = isList ? 1 : name.length + 4;
    return [name, fitted(member, share - frame, { ...place, path: inner, schema: fixed?.[name] ?? element })] as const;
  });
  return isList ? cut.map(([, member]) => member) : Object.fromEntries(cut);
}

/** Without what says only that it may be absent. */
function plainSchema(schema: z.ZodType | undefined): z.ZodType | undefined {
  let plain = schema;
  while (plain !== undefined && 'innerType' in plain.def) plain = plain.def.innerType as z.ZodType;
  return plain;
}

/** Returns the share of the room for each of these: all that it needs, or as much as any other that needs more. */
function shares(costs: readonly number[], room: number): readonly number[] {
  let left = room;
  const given: number[] = [];
  const order = costs.map((_, index) => index).sort((a, b) => (costs[a] ?? 0) - (costs[b] ?? 0));
  for (const [place, index] of order.entries()) {
    const share = Math.min(costs[index] ?? 0, left / (order.length - place));
    given[index] = share;
    left -= share;
  }
  return given;
}

/** Characters of its JSON; no text is made of the whole. */
function sizeOf(value: unknown, sizes: Map<object, number>): number {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)?.length ?? 0;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  let size = 2;
  for (const name in value) {
    const member: unknown = value[name as keyof typeof value];
    if (member !== undefined) size += sizeOf(member, sizes) + 1 + (Array.isArray(value) ? 0 : name.length + 3);
  }
  sizes.set(value, size);
  return size;
}
