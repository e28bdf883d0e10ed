import type * as z from 'zod';
import type { CATALOGUE } from '../../../generated/catalogue.ts';

type Catalogue = typeof CATALOGUE;

/** Names of the operations with `page: true`: those that pages may call. */
export type OfferedName = {
  [Name in keyof Catalogue]: NonNullable<Catalogue[Name]['at']['page']> extends true ? Name : never;
}[keyof Catalogue];

/** Input that a page sends; members with a default may be left out, and the executor checks all of them. */
export type OfferedInput<Name extends OfferedName> = Catalogue[Name] extends { input: z.ZodType<infer Input> }
  ? Partial<Input>
  : never;

export type OfferedOutput<Name extends OfferedName> = Catalogue[Name] extends {
  answer: 'value';
  output: z.ZodType<infer Output>;
}
  ? Output
  : unknown;
