import { TemplateFault, type TemplateValues, type TextTemplate, type TextTemplates } from '../../../ports/index.ts';
import type { HostView } from '../host-view.ts';
import type { FilesOptions } from '../options.ts';
import { HostFault, type Shape } from '../shape.ts';

type Escape = (text: string) => string;

/** Escapes texts of data before a template reads them, so that a value remains a single value. */
const ESCAPES: Readonly<Record<FilesOptions['escape'], Escape>> = {
  none: (text) => text,
  lines: (text) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' '),
  json: (text) => JSON.stringify(text).slice(1, -1),
  xml: (text) =>
    text
      .replaceAll(/[^\P{Cc}\t\n\r]/gu, ' ')
      .replaceAll(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`),
  shell: (text) => `'${text.replaceAll('\0', '').replaceAll("'", "'\\''")}'`,
};

/** Makes the shape from the options header, template and footer. */
export function templateShape(options: FilesOptions, templates: TextTemplates): Shape {
  const compile = (option: 'template' | 'header' | 'footer'): TextTemplate =>
    templates.compile(option, options[option]);
  const line = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
  const template = compile('template');
  const escaping = ESCAPES[options.escape];
  const fixed = (option: 'header' | 'footer'): string => line(compile(option).render(NOTHING));
  return {
    contentType: 'text/plain; charset=utf-8',
    open: fixed('header'),
    close: fixed('footer'),
    host: (host) => line(rendered(template, host, escaping)),
  };
}

const NOTHING: TemplateValues = { get: () => undefined, all: () => new Map() };

/** Renders a template for a host. Throws `HostFault`. */
export function rendered(template: TextTemplate, host: HostView, escaping: Escape = ESCAPES.none): string {
  try {
    return template.render({
      get: (name) => escaped(host.value(name), escaping),
      all: () =>
        new Map(
          Object.keys({ ...host.variables, HOSTNAME: '', groups: '' }).map((name) => [
            name,
            escaped(host.value(name), escaping),
          ]),
        ),
    });
  } catch (error) {
    if (error instanceof TemplateFault) throw new HostFault(error.message);
    throw error;
  }
}

function escaped(value: unknown, escaping: Escape): unknown {
  if (typeof value === 'string') return escaping(value);
  if (Array.isArray(value)) return value.map((item) => escaped(item, escaping));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [escaping(key), escaped(member, escaping)]));
}
