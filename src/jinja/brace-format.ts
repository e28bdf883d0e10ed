import { fault } from './fault.ts';
import { asNumeric, toNumber } from './number.ts';
import { formatFloat, formatInteger, type NumberStyle, pad } from './number-format.ts';
import type { Run } from './run.ts';
import { repr, toText } from './text.ts';
import { type CallArguments, isFloat, typeName, type Value } from './value.ts';

const FIELD = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;

/** `"{} {name:>10}".format(…)`. Fields are names and numbers: `{0.attribute}` and `{0[key]}` are refused. */
export function braceFormat(run: Run, format: string, args: CallArguments): string {
  let automatic = 0;
  let length = format.length;
  return format.replace(FIELD, (whole, field: string | undefined) => {
    if (whole === '{{' || whole === '}}') return whole.charAt(0);
    if (field === undefined) throw fault('a brace of the format is not closed');
    const [head = '', ...specification] = field.split(':');
    const [name = '', conversion] = head.split('!');
    const value = name === '' ? args.positional[automatic++] : lookUp(args, name);
    if (value === undefined) throw fault(`the format needs a value '${name}'`);
    if (conversion !== undefined && conversion !== 's' && conversion !== 'r') throw fault('unknown conversion');
    const style = readStyle(specification.join(':'));
    run.grown(length, style.width + (style.precision ?? 0));
    const part = formatValue(run, conversion === undefined ? value : convert(run, value, conversion), style);
    length = run.grown(length, part.length);
    return part;
  });
}

function convert(run: Run, value: Value, conversion: string): string {
  return conversion === 'r' ? repr(run, value) : toText(run, value);
}

function lookUp(args: CallArguments, name: string): Value | undefined {
  if (/^\d+$/.test(name)) return args.positional[Number(name)];
  if (!/^[A-Za-z_]\w*$/.test(name)) throw fault(`the format field '${name}' is not allowed`);
  return args.named?.get(name);
}

interface Style extends NumberStyle {
  readonly type: string;
  readonly hasAlign: boolean;
}

const SPECIFICATION = /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\d{0,9})([,_])?(?:\.(\d{1,9}))?([a-zA-Z%])?$/su;

function readStyle(text: string): Style {
  const match = SPECIFICATION.exec(text);
  if (!match) throw fault(`unreadable format '${text}'`);
  const [, fill, align, sign, alternate, zero, width, grouping, precision, type] = match;
  return {
    align: (align as NumberStyle['align'] | undefined) ?? (zero ? '=' : '>'),
    hasAlign: align !== undefined,
    fill: fill ?? (zero ? '0' : ' '),
    sign: (sign as NumberStyle['sign'] | undefined) ?? '-',
    alternate: alternate !== undefined,
    grouping: grouping ?? '',
    width: Number(width),
    precision: precision === undefined ? undefined : Number(precision),
    type: type ?? '',
  };
}

function formatValue(run: Run, value: Value, style: Style): string {
  if (typeof value === 'string') {
    if (style.type !== '' && style.type !== 's') throw fault(`'${style.type}' does not format a text`);
    const cut = style.precision === undefined ? value : value.slice(0, style.precision);
    return pad(cut, style.hasAlign ? style : { ...style, align: '<' });
  }
  const number = asNumeric(value);
  const { type } = style;
  if (number === undefined || (typeof value === 'boolean' && type === '' && style.width === 0)) {
    if (style.width > 0 || style.precision !== undefined || type !== '') {
      if (typeof value !== 'boolean') throw fault(`a value of type ${typeName(value)} takes no format`);
    }
    return toText(run, value);
  }
  if ('eEfFgG%'.includes(type) && type !== '') return formatFloat(toNumber(number), type, style);
  if (isFloat(number)) {
    if (type !== '') throw fault(`'${type}' does not format a float`);
    return style.precision === undefined
      ? pad(signed(toText(run, number), style), style)
      : formatFloat(toNumber(number), 'g', style);
  }
  if (type !== '' && !'dxXobn'.includes(type)) throw fault(`'${type}' does not format an integer`);
  return formatInteger(number as number | bigint, type === '' || type === 'n' ? 'd' : type, style);
}

function signed(text: string, style: NumberStyle): string {
  return text.startsWith('-') || style.sign === '-' ? text : style.sign + text;
}
