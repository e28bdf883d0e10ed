import { parse as parseYaml } from 'yaml';

/** Parses a preset file: YAML, of which JSON is a subset. Aliases are limited so that they cannot inflate the document. */
export function parse(text: string): unknown {
  return parseYaml(text, { maxAliasCount: 50, prettyErrors: false });
}
