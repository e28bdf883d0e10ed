import { describe, expect, it } from 'vitest';
import { textOf } from '../../../../src/app/kernel/worded.ts';
import { jsonOptions } from '../../../../src/plugins/json/options.ts';
import { readJson } from '../../../../src/plugins/json/read.ts';
import { yamlOptions } from '../../../../src/plugins/yaml/options.ts';
import { readYaml } from '../../../../src/plugins/yaml/read.ts';
import { sourceFiles } from '../../../support/files.ts';
import { collect, readContext, temporaryFile } from '../temporary-file.ts';

const READERS = {
  json: (options: object) => readJson(jsonOptions().parse(options), sourceFiles, readContext()),
  // JSON is YAML.
  yaml: (options: object) => readYaml(yamlOptions().parse(options), sourceFiles, readContext()),
};

async function gapsOf(read: (options: object) => ReturnType<typeof readJson>, content: string, options: object) {
  const items = await collect(read({ path: await temporaryFile(content), ...options }));
  expect(items.filter(({ kind }) => kind === 'record')).toHaveLength(1);
  return items.flatMap((item) => (item.kind === 'gap' ? [`${textOf(item.what)}: ${textOf(item.reason)}`] : []));
}

const LIST = '[{"host":"a"}]';

describe.each(Object.entries(READERS))('a file of one page, read as %s,', (_name, read) => {
  it.each<[string, string, string, object?]>([
    ['NetBox', `{"count":2,"next":"http://x/?offset=1","results":${LIST}}`, 'next'],
    ['NetBox, behind the list', `{"results":${LIST},"next":"http://x/?offset=1"}`, 'next'],
    ['OData', `{"@odata.nextLink":"http://x","value":${LIST}}`, '@odata.nextLink'],
    ['AWS', `{"a":[{"b":${LIST}}],"NextToken":"abc"}`, 'NextToken', { data_key: 'a[].b[]' }],
    ['S3', `{"IsTruncated":true,"Contents":${LIST}}`, 'IsTruncated'],
    ['DynamoDB', `{"LastEvaluatedKey":{"id":{"S":"x"}},"Items":${LIST}}`, 'LastEvaluatedKey'],
    ['JSON:API', `{"links":{"self":"x","next":"http://x"},"data":${LIST}}`, 'links.next'],
    ['HAL', `{"_links":{"next":{"href":"http://x"}},"data":${LIST}}`, '_links.next'],
    ['Kubernetes', `{"metadata":{"continue":"abc"},"items":${LIST}}`, 'metadata.continue'],
    [
      'GraphQL',
      `{"data":{"h":{"pageInfo":{"hasNextPage":true},"nodes":${LIST}}}}`,
      'pageInfo.hasNextPage',
      { data_key: 'data.h.nodes' },
    ],
    ['Jira', `{"isLast":false,"values":${LIST}}`, 'isLast'],
    ['a number', `{"next_page":2,"hosts":${LIST}}`, 'next_page'],
    ['Google', `{"nextPageToken":"x","hosts":${LIST}}`, 'nextPageToken'],
  ])('of %s is partial', async (_system, content, member, options = {}) => {
    expect(await gapsOf(read, content, options)).toEqual([
      `the rest of the list: the file is one page of an answer: ${member} says that there is more; store all of it, or set next_page to ignore`,
    ]);
    expect(await gapsOf(read, content, { ...options, next_page: 'ignore' })).toEqual([]);
  });

  it.each<[string, object?]>([
    [`{"next":null,"results":${LIST}}`],
    [`{"next":"","results":${LIST}}`],
    [`{"next":{"href":""},"results":${LIST}}`],
    [`{"next":{},"results":${LIST}}`],
    [`{"links":{"next":null,"prev":"x"},"results":${LIST}}`],
    [`{"metadata":{"continue":"","resourceVersion":"1"},"items":${LIST}}`],
    [`{"metadata":{"continued":"x"},"items":${LIST}}`],
    [`{"IsTruncated":false,"isLast":true,"hasMore":false,"results":${LIST}}`],
    [`{"next_page":0,"results":${LIST}}`],
    [`{"continue":"x","results":${LIST}}`],
    [`[{"host":"a","next":"b"}]`],
    [`{"x":{"next":"b"},"results":${LIST}}`],
    [`{"a":[{"next":"b","b":${LIST}}]}`, { data_key: 'a[].b' }],
  ])('is none: %s', async (content, options = {}) => {
    expect(await gapsOf(read, content, options)).toEqual([]);
  });
});
