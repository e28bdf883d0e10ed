import { parse } from 'yaml';

/** Reads `local_config.yaml`. A module of its own, so that the parser is loaded only where such a file exists. */
export function parseYamlConfig(text: string): unknown {
  return parse(text);
}
