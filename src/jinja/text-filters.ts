import { define, type Parameters } from './call.ts';
import { isTrue, mappingEntries } from './compare.ts';
import { fault } from './fault.ts';
import { attributePath, defined, flag } from './filter-kit.ts';
import { hashFilter } from './hash.ts';
import { toJson } from './json-filter.ts';
import { linkAddresses } from './links.ts';
import { escapeMarkup, unescapeMarkup, withoutTags } from './markup.ts';
import { percentFormat } from './percent-format.ts';
import {
  align,
  capitalize,
  countOf,
  expectText,
  optionalText,
  replaceText,
  splitText,
  strip,
  stripLeft,
  stripRight,
} from './plain-text.ts';
import { prettyPrint } from './pretty-print.ts';
import type { Run } from './run.ts';
import { characters, iterate, lengthOf, textLength } from './sequence.ts';
import { joinTexts, splitLines } from './string-methods.ts';
import { toText } from './text.ts';
import { isMapping, tuple, typeName, Undefined, type Value } from './value.ts';
import { wrapLine } from './word-wrap.ts';

function escapeValue(run: Run, value: Value): string {
  return escapeMarkup(run, toText(run, value));
}

function title(text: string): string {
  return text
    .split(/([-\s({[<]+)/)
    .map((part) => capitalize(part))
    .join('');
}

function indent(run: Run, value: Value, [width, first, blank]: Parameters): string {
  const text = toText(run, value);
  run.sized(text.length);
  const [head = '', ...lines] = splitLines(run, `${text}\n`, false);
  const count = typeof width === 'string' ? width.length : Math.max(0, countOf(width, 4, 'width'));
  run.sized(count * (lines.length + 1) + text.length);
  const space = typeof width === 'string' ? width : ' '.repeat(count);
  const rest = lines.map((line) => (line === '' && !flag(blank) ? line : space + line));
  return [flag(first) ? space + head : head, ...rest].join('\n');
}

function truncate(run: Run, value: Value, [length, killWords, end, leeway]: Parameters): string {
  const text = toText(run, value);
  const ending = end === undefined ? '...' : expectText(end, 'end');
  const limit = countOf(length, 255, 'length');
  if (textLength(text) <= limit + countOf(leeway, 5, 'leeway')) return text;
  const kept = Array.from(characters(text))
    .slice(0, Math.max(0, limit - textLength(ending)))
    .join('');
  if (flag(killWords)) return kept + ending;
  const space = kept.lastIndexOf(' ');
  return (space < 0 ? kept : kept.slice(0, space)) + ending;
}

function urlEncode(run: Run, value: Value): string {
  if (typeof value === 'string' || (!isMapping(value) && !Array.isArray(value)))
    return quoteUrl(run, toText(run, value), '/');
  const pairs = isMapping(value) ? mappingEntries(value) : value.map((pair) => iterate(run, pair));
  const parts = pairs.map(([key = null, item = null]) => {
    const [left, right] = [key, item].map((part) => quoteUrl(run, toText(run, part), '').replaceAll('%20', '+'));
    return `${left}=${right}`;
  });
  return joinTexts(run, '&', parts);
}

function quoteUrl(run: Run, text: string, safe: string): string {
  run.sized(text.length * 3);
  // Half a surrogate pair has no UTF-8.
  const wellFormed = text.replace(/[\ud800-\udfff]/gu, '\ufffd');
  const encoded = encodeURIComponent(wellFormed).replace(/[!'()*]/g, (mark) => {
    return `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return safe === '/' ? encoded.replaceAll('%2F', '/') : encoded;
}

function join(run: Run, value: Value, [separator, attribute]: Parameters): string {
  const items = iterate(run, value);
  let length = 0;
  const parts: string[] = [];
  for (const item of items) {
    const part = toText(
      run,
      attribute === undefined || attribute === null ? defined(item) : attributePath(run, item, attribute),
    );
    length = run.grown(length, part.length);
    parts.push(part);
  }
  return joinTexts(run, separator === undefined ? '' : toText(run, separator), parts);
}

function trim(run: Run, value: Value, [set]: Parameters): string {
  const text = toText(run, value);
  const chars = optionalText(set, 'chars');
  return chars === undefined ? strip(text) : stripRight(stripLeft(text, chars), chars);
}

function wordWrap(run: Run, value: Value, [width, longWords, wrapText, hyphens]: Parameters): string {
  const options = {
    width: countOf(width, 79, 'width'),
    breakLongWords: longWords === undefined || isTrue(run, longWords),
    breakOnHyphens: hyphens === undefined || isTrue(run, hyphens),
  };
  const separator = optionalText(wrapText, 'wrapstring') ?? '\n';
  const paragraphs = splitLines(run, expectText(value, 'what wordwrap wraps'), false);
  return joinTexts(
    run,
    separator,
    paragraphs.map((line) => joinTexts(run, separator, wrapLine(run, line, options))),
  );
}

function stripTags(run: Run, value: Value): string {
  const text = toText(run, value);
  run.sized(text.length);
  return unescapeMarkup(splitText(run, withoutTags(text), undefined, -1).join(' '));
}

function xmlAttributes(run: Run, value: Value, [autospace]: Parameters): string {
  if (!isMapping(value)) throw fault(`xmlattr needs a dict, not ${typeName(value)}`);
  const entries = mappingEntries(value).filter(([, item]) => item !== null && !(item instanceof Undefined));
  run.step(entries.length);
  const parts = entries.map(([key, item]) => {
    const name = expectText(key, 'the name of an attribute');
    if (/[ \t\n\r\f\v/>=]/.test(name)) throw fault(`'${name}' cannot be the name of an attribute`);
    return `${escapeMarkup(run, name)}="${escapeValue(run, item)}"`;
  });
  const text = joinTexts(run, ' ', parts);
  return text !== '' && (autospace === undefined || isTrue(run, autospace)) ? ` ${text}` : text;
}

function urlize(run: Run, value: Value, [limit, nofollow, target, rel, schemes]: Parameters): string {
  const relations = new Set(splitText(run, optionalText(rel, 'rel') ?? '', undefined, -1)).add('noopener');
  if (nofollow !== undefined && isTrue(run, nofollow)) relations.add('nofollow');
  return linkAddresses(run, toText(run, value), {
    shownLength: limit === undefined || limit === null ? undefined : countOf(limit, 0, 'trim_url_limit'),
    rel: [...relations].sort().join(' '),
    target: optionalText(target, 'target') ?? '',
    extraSchemes:
      schemes === undefined || schemes === null
        ? []
        : iterate(run, schemes).map((scheme) => expectText(scheme, 'a scheme')),
  });
}

export const TEXT_FILTERS = [
  define<Value>('lower()', (run, value) => toText(run, value).toLowerCase()),
  define<Value>('upper()', (run, value) => toText(run, value).toUpperCase()),
  define<Value>('title()', (run, value) => title(toText(run, value))),
  define<Value>('capitalize()', (run, value) => capitalize(toText(run, value))),
  define<Value>('trim(chars?)', trim),
  define<Value>('string()', (run, value) => toText(run, value)),
  define<Value>('safe()', (run, value) => toText(run, value)),
  define<Value>('replace(old, new, count?)', (run, value, [old, fresh, count]) =>
    replaceText(run, toText(run, value), toText(run, old ?? ''), toText(run, fresh ?? ''), countOf(count, -1, 'count')),
  ),
  define<Value>('join(d?, attribute?)', join),
  define<Value>('split(sep?, maxsplit?)', (run, value, [separator, limit]) =>
    splitText(run, toText(run, value), optionalText(separator, 'a separator'), countOf(limit, -1, 'maxsplit')),
  ),
  define<Value>('indent(width?, first?, blank?)', indent),
  define<Value>('truncate(length?, killwords?, end?, leeway?)', truncate),
  define<Value>('center(width?)', (run, value, [width]) =>
    align(run, toText(run, value), countOf(width, 80, 'width'), 'center'),
  ),
  define<Value>('wordcount()', (run, value) => (toText(run, value).match(/[\p{L}\p{N}\p{M}_]+/gu) ?? []).length),
  define<Value>('format(...)', (run, value, items, all) => {
    const values =
      all.named && items.length === 0 ? new Map<Value, Value>(all.named) : tuple(items as readonly Value[]);
    return percentFormat(run, toText(run, value), values);
  }),
  define<Value>('escape()', escapeValue),
  define<Value>('e()', escapeValue),
  define<Value>('forceescape()', escapeValue),
  define<Value>('urlencode()', urlEncode),
  define<Value>('pprint()', prettyPrint),
  define<Value>('striptags()', stripTags),
  define<Value>('urlize(trim_url_limit?, nofollow?, target?, rel?, extra_schemes?)', urlize),
  define<Value>('wordwrap(width?, break_long_words?, wrapstring?, break_on_hyphens?)', wordWrap),
  define<Value>('xmlattr(autospace?)', xmlAttributes),
  define<Value>('hash(length?)', hashFilter),
  define<Value>('tojson(indent?)', (run, value, [width]) => toJson(run, value, width)),
  define<Value>('length()', (run, value) => lengthOf(run, value)),
  define<Value>('count()', (run, value) => lengthOf(run, value)),
];
