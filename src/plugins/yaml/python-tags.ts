import type { ScalarTag, Tags } from 'yaml';
import { VAULT_MARK } from '../../kit/records/vaulted.ts';

/** What PyYAML takes for a number or a truth value, where YAML 1.1 takes more. */
const NARROWER: Readonly<Record<string, RegExp>> = {
  'int ': /^[-+]?(?:0|[1-9][0-9_]*)$/,
  'float EXP': /^[-+]?[0-9_]*\.[0-9_]*[eE][-+][0-9]+$/,
  'bool true': /^(?:[Yy]es|YES|[Tt]rue|TRUE|[Oo]n|ON)$/,
  'bool false': /^(?:[Nn]o|NO|[Ff]alse|FALSE|[Oo]ff|OFF)$/,
};

/**
 * Plain words mean what they mean to PyYAML and Ansible: `y` and `1e3` are texts. Times and numbers of base sixty are texts too:
 * `2024-01-31` and `12:30` are so for everybody who writes them.
 */
export function pythonTags(tags: Tags): Tags {
  return [...VAULTED, ...tags].flatMap((tag) => {
    if (typeof tag === 'string') return tag;
    const name = tag.tag.replace('tag:yaml.org,2002:', '');
    if (name === 'timestamp' || ('format' in tag && tag.format === 'TIME')) return [];
    return isPlainWord(tag) ? narrowed(tag, name) : tag;
  });
}

/** What a vault encrypts becomes what Ansible writes for it in JSON, which is known there as such. */
const VAULTED: readonly ScalarTag[] = ['!vault', '!vault-encrypted'].map((tag) => ({
  tag,
  resolve: (text) => ({ [VAULT_MARK]: text }),
}));

function isPlainWord(tag: Exclude<Tags[number], string>): tag is ScalarTag {
  return 'test' in tag && tag.test instanceof RegExp;
}

function narrowed(tag: ScalarTag, name: string): ScalarTag {
  const kind = name === 'bool' ? String(tag.test?.test('true')) : (tag.format ?? '');
  const test = NARROWER[`${name} ${kind}`];
  return test === undefined ? tag : { ...tag, test };
}
