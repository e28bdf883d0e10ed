import { register } from 'node:module';

/**
 * Lets plugins outside of this package import `muster/plugin-api` and `muster/testing` without having the package
 * installed beside them: what Node cannot resolve itself leads to the running program's own files.
 */
export function offerPluginApi(entries: Readonly<Record<string, string>>): void {
  const source = `
const entries = ${JSON.stringify(entries)};
export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    const url = entries[specifier];
    if (url === undefined) throw error;
    return { url, shortCircuit: true };
  }
}`;
  register(`data:text/javascript,${encodeURIComponent(source)}`);
}
