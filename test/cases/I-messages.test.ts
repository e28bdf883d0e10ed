import { describe, expect, it } from 'vitest';
import { readRulesContent } from '../../src/adapters/cli/rules-content.ts';
import { readFilter } from '../../src/kit/records/filter-text.ts';

describe('a filter', () => {
  it.each([
    'status!=decommissioned or site=fra',
    'site=fra OR site=par',
    'site=fra || site=par',
    'not site=fra',
    '(site=fra)',
    'site=fra; status=active',
    'cpu>=4',
    'name~^web or site=fra',
    'status!=retired|decommissioned',
  ])('that speaks another language is refused: %s', (text) => {
    expect(() => readFilter(text)).toThrow('"or", "not" and brackets are not supported');
  });

  it.each([
    ['status=~^act', 'name~^web'],
    ['status!=~^decom', 'name!~^web'],
    ['status != decom*', 'name!~^web'],
    ['name=web*', 'name~^web'],
  ])('that means a pattern is refused: %s', (text, advice) => expect(() => readFilter(text)).toThrow(advice));

  it.each([
    'home="~/x"',
    "os='*'",
    'site="fra or par"',
    'name~^(web|db)$',
    'status=active and kind!=Pod',
    'url=http://x/?a=b',
    'name~a|b',
  ])('of its own is read: %s', (text) => expect(readFilter(text).length).toBeGreaterThan(0));
});

describe('a download of the pages of an existing installation', () => {
  const bytes = Buffer.from('{"name":"Stage","enabled":true}\n');
  it.each([
    ['x/CustomAttributeRule_202604131530.syncer_json', 'custom_attributes'],
    ['CustomAttributeRule_202604131530 (1).syncer_json', 'custom_attributes'],
    ['Account_202604131530.syncer_json', 'accounts'],
  ])('%s is known by its name', (file, type) => {
    expect(readRulesContent(bytes, { file })).toMatchObject({ rule_type: type });
  });

  it('of an unknown model says what to do', () => {
    expect(() => readRulesContent(bytes, { file: 'Nothing_2026.syncer_json' })).toThrow('name it with --type <type>');
    expect(readRulesContent(bytes, { file: 'Nothing_2026.syncer_json', type: 'custom_attributes' })).toMatchObject({
      rule_type: 'custom_attributes',
    });
  });
});
