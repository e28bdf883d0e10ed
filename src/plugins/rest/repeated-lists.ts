import type { RequestValues } from '../../kit/http-account/request-template.ts';
import { worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';
import { type ListOptions, type ListRequest, listRequest } from './list-request.ts';

/** One of the lists that are read one after the other, with what it is called among several. */
export interface RepeatedList {
  readonly called: string;
  readonly request: ListRequest;
}

/** The list, once for each value of the parameter that `repeat` names. */
export function repeatedLists(
  options: ListOptions & { readonly repeat?: string | undefined },
  values: RequestValues,
  headers: Readonly<Record<string, string>>,
): readonly RepeatedList[] {
  const { repeat } = options;
  if (repeat === undefined) return [{ called: '', request: listRequest(options, values, headers) }];
  const parts = String(values[repeat] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0)
    throw new AppError(
      'invalid_input',
      worded`repeat names the parameter ${{ parameter: repeat }}, which has no value`,
    );
  return parts.map((part) => ({
    called: parts.length === 1 ? '' : part,
    request: listRequest(options, { ...values, [repeat]: part }, headers),
  }));
}
