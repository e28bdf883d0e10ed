import type { HostRecord, LabelScalar, LabelValue } from '../../../ports/index.ts';

type SearchedHost = Pick<HostRecord, 'hostname' | 'labels'>;
type TextTest = (text: string) => boolean;

/** Keys whose JSON is the key itself, whoever wrote it. */
const PLAIN_KEY = /^[\w.:-]+$/;

/**
 * What people type to find hosts: part of a hostname, or `label=value`, where `*` at either end of the value matches anything.
 * Case counts in names of labels only.
 */
export function hostSearch(search: string): (host: SearchedHost) => boolean {
  const part = search.trim().toLowerCase();
  const holdsLabel = labelTest(search.trim());
  return (host) => host.hostname.toLowerCase().includes(part) || holdsLabel(host);
}

function labelTest(search: string): (host: SearchedHost) => boolean {
  const sign = search.indexOf('=');
  const key = search.slice(0, sign).trim();
  if (sign < 0 || key === '') return () => false;
  const fits = valueTest(search.slice(sign + 1).trim());
  // Most hosts that lack the label are known by their text, which costs less than parsing it.
  const mark = PLAIN_KEY.test(key) ? `"${key}"` : '';
  return ({ labels }) => {
    if (!labels.text.includes(mark)) return false;
    return Object.hasOwn(labels.value, key) && textsOf(labels.value[key] as LabelValue).some(fits);
  };
}

function valueTest(wanted: string): TextTest {
  const text = wanted.toLowerCase();
  const isOpenStart = text.startsWith('*');
  const isOpenEnd = text.endsWith('*') && text.length > 1;
  const core = text.slice(isOpenStart ? 1 : 0, isOpenEnd ? -1 : undefined);
  if (isOpenStart && core === '') return () => true;
  if (isOpenStart && isOpenEnd) return (value) => value.includes(core);
  if (isOpenStart) return (value) => value.endsWith(core);
  if (isOpenEnd) return (value) => value.startsWith(core);
  return (value) => value === core;
}

/** A list is found by each of its elements, an empty one by nothing but `*`. */
function textsOf(value: LabelValue): readonly string[] {
  const values = isList(value) ? value : [value];
  return values.length === 0 ? [''] : values.map((item) => String(item ?? '').toLowerCase());
}

function isList(value: LabelValue): value is readonly LabelScalar[] {
  return Array.isArray(value);
}
