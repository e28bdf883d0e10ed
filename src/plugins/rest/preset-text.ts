import { parse as parseYaml } from 'yaml';

/** A preset as it stands in its file: YAML, of which JSON is a part. Aliases may not make it grow. */
export function parse(text: string): unknown {
  return parseYaml(text, { maxAliasCount: 50, prettyErrors: false });
}
