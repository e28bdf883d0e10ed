import type { TextTemplates } from '../../ports/index.ts';
import { type HostView, quoted } from './host-view.ts';
import type { FilesOptions } from './options.ts';
import { HostFault } from './shape.ts';
import { rendered } from './shapes/template.ts';

/** The location of an account's files: a folder, and names below it. */
export interface FileNames {
  /** Every file is below it. */
  readonly folder: string;
  /** The name of the file if there is only one; it is written even without hosts. */
  readonly only: string | undefined;
  /** The file of a host. Throws `HostFault` for what leads elsewhere. */
  of(host: HostView): string;
  /** The path as people name it. */
  path(name: string): string;
}

/**
 * Resolves the folder and names of files. If a shape makes a folder of the path, file names are below it. Published files have no
 * folder.
 */
export function fileNames(options: FilesOptions, templates: TextTemplates): FileNames {
  const { shape, layout, publish } = options;
  const path = publish ? options.path.replace(/^(?:\.?\/)+/, '') : options.path;
  const isTree = shape === 'ansible' && layout === 'tree';
  const marks = path.search(/\{[{%]/);
  const literal = marks < 0 ? path : path.slice(0, marks);
  const cut = publish ? -1 : marks < 0 && isTree ? literal.length : literal.lastIndexOf('/');
  const folder = cut > 0 ? literal.slice(0, cut).replace(/\/+$/, '') : cut === 0 ? '/' : '.';
  const inFolder = (name: string): string =>
    folder === '.' ? name : folder === '/' ? `/${name}` : `${folder}/${name}`;
  if (marks < 0) {
    const only = isTree && !publish ? '' : path.slice(cut + 1);
    return { folder, only, of: () => only, path: (name) => (name === '' ? folder : inFolder(name)) };
  }
  const template = templates.compile('path', path.slice(cut + 1));
  return {
    folder,
    only: undefined,
    of: (host) => nameBelow(rendered(template, host).trim()),
    path: inFolder,
  };
}

/** Data makes names of files and folders, and nothing that leads out of the folder or hides. */
function nameBelow(name: string): string {
  const parts = name.split('/');
  const isFine = parts.every((part) => /^[^.\s\\\p{Cc}][^\\\p{Cc}]*$/u.test(part) && Buffer.byteLength(part) <= 200);
  if (isFine && parts.length <= 16) return name;
  throw new HostFault(`path makes ${quoted(name)} of it, which is not the name of a file below the folder`);
}
