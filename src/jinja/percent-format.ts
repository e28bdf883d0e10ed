import { mappingGet } from './compare.ts';
import { fault } from './fault.ts';
import { asNumeric, toNumber } from './number.ts';
import { formatFloat, formatInteger, type NumberStyle, pad } from './number-format.ts';
import type { Run } from './run.ts';
import { repr, toText } from './text.ts';
import { isFloat, isMapping, PySequence, typeName, Undefined, undefinedFault, type Value } from './value.ts';

const DIRECTIVE = /%(?:\(([^()]*)\))?([-+ 0#]*)(\d{0,9})(?:\.(\d{0,9}))?[hlL]?([a-zA-Z%])|%/g;

/** `"%s-%03d" % values`. Widths are checked before anything is padded. */
export function percentFormat(run: Run, format: string, values: Value): string {
  const items: readonly Value[] = values instanceof PySequence && values.kind === 'tuple' ? values.items : [values];
  let used = 0;
  let usedNames = false;
  let length = format.length;
  const next = (name: string | undefined): Value => {
    if (name !== undefined) {
      usedNames = true;
      const found = isMapping(values) ? mappingGet(values, name) : undefined;
      if (found === undefined) throw fault(`the format needs a value '${name}'`);
      return found;
    }
    const value = items[used++];
    if (value === undefined) throw fault('not enough values for the format');
    return value;
  };
  const text = format.replace(DIRECTIVE, (whole, name, flags = '', width = '', precision, type) => {
    if (type === '%') return '%';
    if (type === undefined) throw fault(`unreadable format at '${whole}'`);
    const style: NumberStyle = {
      align: flags.includes('-') ? '<' : flags.includes('0') ? '=' : '>',
      fill: flags.includes('0') && !flags.includes('-') ? '0' : ' ',
      sign: flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '-',
      alternate: flags.includes('#'),
      grouping: '',
      width: Number(width),
      precision: precision === undefined ? undefined : Number(precision),
    };
    run.grown(length, style.width + (style.precision ?? 0));
    const part = formatOne(run, type, style, next(name));
    length = run.grown(length, part.length);
    return part;
  });
  if (!usedNames && used < items.length && !isMapping(values)) throw fault('too many values for the format');
  return text;
}

function formatOne(run: Run, type: string, style: NumberStyle, value: Value): string {
  if (value instanceof Undefined && !(value.isSilent && type === 's')) throw undefinedFault(value);
  if (type === 's' || type === 'r' || type === 'a') {
    const text = type === 's' ? toText(run, value) : repr(run, value);
    const cut = style.precision === undefined ? text : text.slice(0, style.precision);
    return pad(cut, { ...style, align: style.align === '<' ? '<' : '>', fill: ' ' });
  }
  if (type === 'c') return pad(character(value), { ...style, align: style.align === '<' ? '<' : '>', fill: ' ' });
  const number = asNumeric(value);
  if (number === undefined) throw fault(`'%${type}' needs a number, not ${typeName(value)}`);
  if ('diu'.includes(type)) return formatInteger(isFloat(number) ? truncate(toNumber(number)) : number, 'd', style);
  if ('xXo'.includes(type)) {
    if (isFloat(number)) throw fault(`'%${type}' needs an integer`);
    return formatInteger(number as number | bigint, type, style);
  }
  if ('eEfFgG'.includes(type)) return formatFloat(toNumber(number), type, style);
  throw fault(`unknown format '%${type}'`);
}

function truncate(value: number): number {
  if (!Number.isFinite(value)) throw fault('the number is not finite');
  return Math.trunc(value);
}

function character(value: Value): string {
  if (typeof value === 'string' && Array.from(value).length === 1) return value;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0x10ffff) {
    return String.fromCodePoint(value);
  }
  throw fault("'%c' needs one character");
}
