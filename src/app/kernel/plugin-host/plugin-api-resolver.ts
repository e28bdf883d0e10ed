import { register } from 'node:module';

/**
 * Lets plugins outside of this package import `muster/plugin-api`, `muster/kit`, `muster/storage-api` and `muster/testing`, also
 * by the name of the package. They need not have it installed, and may have it for their tests: every plugin gets the running
 * program's own files, so that the class of an error is the same in both.
 */
export function offerPluginApi(entries: Readonly<Record<string, string>>): void {
  const source = `
const entries = ${JSON.stringify(entries)};
export async function resolve(specifier, context, next) {
  const entry = /^(?:@muster-cmdb\\/)?muster\\/(.+)$/.exec(specifier)?.[1];
  const url = Object.hasOwn(entries, entry) ? entries[entry] : undefined;
  return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
}`;
  register(`data:text/javascript,${encodeURIComponent(source)}`);
}
