import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WholeList } from '../../src/kit/records/whole-list.ts';
import { textOf } from '../../src/kit/worded.ts';
import { lazyHttp } from '../../src/main/http.ts';
import { jsonOptions } from '../../src/plugins/json/options.ts';
import { readJson } from '../../src/plugins/json/read.ts';
import { musterOptions } from '../../src/plugins/muster/options.ts';
import { readHosts } from '../../src/plugins/muster/read.ts';
import { pages } from '../../src/plugins/netbox/api/pages.ts';
import { compileValue } from '../../src/plugins/rest/export/value-template.ts';
import { yamlOptions } from '../../src/plugins/yaml/options.ts';
import { readYaml } from '../../src/plugins/yaml/read.ts';
import type { SourceItem } from '../../src/ports/index.ts';
import { world } from '../app/import/support.ts';
import { collect, readContext, temporaryFile } from '../kit/shared/temporary-file.ts';
import { open as openAnsible } from '../plugins/ansible/support.ts';
import { openRest } from '../plugins/rest/rest-account.ts';
import { openYaml } from '../plugins/yaml/yaml-account.ts';
import { sourceFiles } from '../support/files.ts';
import { by, content, json, type MisbehavingServer, misbehavingServer } from '../support/misbehaving-server.ts';
import { itemsOf } from '../support/read-source.ts';

let server: MisbehavingServer;
beforeAll(async () => {
  server = await misbehavingServer();
});
afterAll(() => server.close());

type Fields = Readonly<Record<string, unknown>>;
const LIST = [{ host: 'w1' }, { host: 'w2' }];

/** The same text as an answer, and as a file of JSON and of YAML, which JSON is. */
const READERS: Readonly<Record<string, (document: unknown, fields: Fields) => Promise<readonly SourceItem[]>>> = {
  rest: overHttp,
  json: async (document, fields) => {
    const path = await temporaryFile(JSON.stringify(document));
    return collect(readJson(jsonOptions().parse({ path, ...fields }), sourceFiles, readContext()));
  },
  yaml: async (document, fields) => {
    const path = await temporaryFile(JSON.stringify(document));
    return collect(readYaml(yamlOptions().parse({ path, ...fields }), sourceFiles, readContext()));
  },
};

async function overHttp(document: unknown, fields: Fields, headers: Readonly<Record<string, string>> = {}) {
  server.at('/list', json(document, headers));
  return itemsOf(await openRest(server.origin, { path: 'list', ...fields }));
}

function gaps(items: readonly SourceItem[]): string[] {
  expect(items.filter(({ kind }) => kind === 'record')).toHaveLength(2);
  return items.flatMap((item) => (item.kind === 'gap' ? [`${textOf(item.what)}: ${textOf(item.reason)}`] : []));
}

/** What says it, the document, and where the list is. */
const PARTS: readonly [member: string, document: unknown, fields?: Fields][] = [
  // Kubernetes, AWS, DynamoDB
  ['metadata.continue', { metadata: { continue: 'abc' }, items: LIST }],
  ['metadata.remainingItemCount', { metadata: { remainingItemCount: 20 }, items: LIST }],
  ['NextToken', { NextToken: 'abc', Reservations: [{ Instances: LIST }] }, { data_key: 'Reservations[].Instances[]' }],
  ['IsTruncated', { IsTruncated: true, Users: LIST }],
  ['nextToken', { nextToken: 'abc', hosts: LIST }],
  ['meta.nextToken', { meta: { nextToken: 'abc' }, hosts: LIST }],
  ['PaginationToken', { PaginationToken: 'abc', hosts: LIST }],
  ['LastEvaluatedKey', { LastEvaluatedKey: { id: { S: 'x' } }, Items: LIST }],
  // OpenStack, FHIR
  [
    'servers_links',
    { servers: LIST, servers_links: [{ rel: 'next', href: 'http://x/servers?marker=2' }] },
    { data_key: 'servers' },
  ],
  [
    'link',
    {
      entry: LIST,
      link: [
        { relation: 'self', url: 'x' },
        { relation: 'next', url: 'y' },
      ],
    },
    { data_key: 'entry' },
  ],
  // Hetzner
  ['meta.pagination.next_page', { servers: LIST, meta: { pagination: { next_page: 2, last_page: 3 } } }],
  ['meta.pagination.total_entries', { servers: LIST, meta: { pagination: { total_entries: 30 } } }],
  ['meta.pagination.last_page', { servers: LIST, meta: { pagination: { last_page: 3 } } }],
  ['total_pages', { total_pages: 7, page: 1, hosts: LIST }],
  ['pages', { pages: 7, hosts: LIST }],
  ['result_info.total_pages', { result_info: { page: 1, total_pages: 3 }, hosts: LIST }],
  ['page.totalPages', { page: { size: 2, totalPages: 3, number: 0 }, hosts: LIST }],
  ['last_page', { current_page: 1, last_page: 4, hosts: LIST }],
  // Cursors in holders beside the list
  ['pagination.next_cursor', { pagination: { next_cursor: 'abc' }, items: LIST }],
  ['response_metadata.next_cursor', { response_metadata: { next_cursor: 'abc' }, members: LIST }],
  ['paging.next', { paging: { next: { after: 'abc' } }, results: LIST }],
  ['next_offset', { next_offset: 50, items: LIST }],
  ['remaining', { remaining: 120, items: LIST }],
  [
    'pageInfo.hasNextPage',
    { data: { h: { pageInfo: { hasNextPage: true, endCursor: 'x' }, nodes: LIST } } },
    { data_key: 'data.h.nodes' },
  ],
  ['pageInfo.endCursor', { data: { h: { pageInfo: { endCursor: 'x' }, nodes: LIST } } }, { data_key: 'data.h.nodes' }],
  ['@odata.nextLink', { '@odata.nextLink': 'abc', value: LIST }],
  ['Members@odata.count', { 'Members@odata.count': 9, Members: LIST }],
  ['nextPageToken', { nextPageToken: 'x', hosts: LIST }],
  ['resultTruncated', { resultTruncated: 'true', data: LIST }],
  ['has_more', { has_more: true, hosts: LIST }],
  ['isLast', { isLast: false, values: LIST }],
  ['last', { last: false, content: LIST }],
  ['truncated', { truncated: true, hosts: LIST }],
  ['partial', { partial: true, hosts: LIST }],
  ['exceededTransferLimit', { exceededTransferLimit: true, features: LIST }],
  ['incomplete_results', { incomplete_results: true, items: LIST }],
  ['done', { done: false, totalSize: 2, records: LIST }],
  // How many in all
  ['total', { total: 300, per_page: 2, results: LIST }],
  ['subtotal', { total: 900, subtotal: 300, results: LIST }],
  ['hits.total', { hits: { total: { value: 30, relation: 'eq' }, hits: LIST } }, { data_key: 'hits.hits' }],
  ['hits.total', { hits: { total: { value: 2, relation: 'gte' }, hits: LIST } }, { data_key: 'hits.hits' }],
  ['totalResults', { totalResults: 9, itemsPerPage: 2, startIndex: 1, Resources: LIST }],
  ['numFound', { response: { numFound: 9, start: 0, docs: LIST } }, { data_key: 'response.docs' }],
  ['@odata.count', { '@odata.count': 9, value: LIST }],
  ['treesize', { treesize: 9, devices: LIST }],
  ['hosts_count', { hosts_count: 9, hosts: LIST }],
  ['server_total', { server_total: 9, servers: LIST }],
  // What went wrong, with status 200
  ['error', { error: { message: 'maximum execution time exceeded' }, status: 'failure', result: LIST }],
  ['errors', { errors: ['region eu-1 does not answer'], hosts: LIST }, { data_key: 'hosts' }],
  ['timed_out', { timed_out: true, hits: { hits: LIST } }, { data_key: 'hits.hits' }],
  [
    '_shards.failed',
    { _shards: { total: 5, failed: 2 }, hits: { total: { value: 2 }, hits: LIST } },
    { data_key: 'hits.hits' },
  ],
  ['_clusters.partial', { _clusters: { total: 2, partial: 1 }, hits: { hits: LIST } }, { data_key: 'hits.hits' }],
  ['status', { status: 'error', hosts: LIST }],
  ['status', { status: 'partial_success', hosts: LIST }],
  ['success', { success: false, hosts: LIST }],
  ['ok', { ok: false, hosts: LIST }],
  ['unreachable', { unreachable: ['zones/a'], items: LIST }, { data_key: 'items' }],
  ['warning', { warning: { code: 'NO_RESULTS_ON_PAGE', message: 'x' }, items: LIST }],
  ['warnings', { warnings: ['partial response: store a timed out'], data: LIST }, { data_key: 'data' }],
  ['meta.error', { meta: { error: 'backend down' }, data: LIST }],
  ['partialFailures', { partialFailures: [{ id: 1 }], data: LIST }, { data_key: 'data' }],
  // What is not known, and looks like one of these
  ['next_thing', { next_thing: 'abc', hosts: LIST }],
  ['resume_cursor', { resume_cursor: 'abc', hosts: LIST }],
  ['cursor', { cursor: 'abc', hosts: LIST }],
  ['total_widgets', { total_widgets: 12, hosts: LIST }],
  ['collector_errors', { collector_errors: { eu: 'down' }, hosts: LIST }],
  ['limit', { limit: 2, hosts: LIST }],
  ['per_page', { page: 1, per_page: 2, hosts: LIST }],
  // UniFi, Airtable, CloudWatch, Datto, Splunk, Redfish, ManageEngine, Checkmk and others
  ['meta.rc', { meta: { rc: 'error' }, data: LIST }],
  ['offset', { records: LIST, offset: 'itr/rec' }],
  ['status', { status: 'Running', results: LIST }],
  ['status', { status: false, hosts: LIST }],
  ['pageDetails.nextPageUrl', { pageDetails: { nextPageUrl: 'abc' }, devices: LIST }],
  ['messages', { messages: [{ type: 'ERROR', text: 'x' }], results: LIST }, { data_key: 'results' }],
  [
    '@Message.ExtendedInfo',
    { '@Message.ExtendedInfo': [{ Severity: 'Critical' }], Members: LIST },
    { data_key: 'Members' },
  ],
  ['response_status', { response_status: [{ status: 'failed' }], assets: LIST }, { data_key: 'assets' }],
  ['result_code', { result: LIST, result_code: 1 }],
  ['extensions.warnings', { extensions: { warnings: ['partial'] }, data: { h: LIST } }, { data_key: 'data.h' }],
  ['links', { links: [{ rel: 'urn:x:rels/next' }], data: LIST }, { data_key: 'data' }],
  ['content-range', { 'content-range': '0-1/30', data: LIST }],
  ['total', { total: '1,200', data: LIST }],
  ['totals', { totals: { hosts: 20 }, hosts: LIST }, { data_key: 'hosts' }],
  ['success', { success: 0, data: LIST }],
  ['moreToCome', { moreToCome: true, data: LIST }],
  ['tooManyResults', { tooManyResults: true, data: LIST }],
  ['omittedCount', { omittedCount: 12, data: LIST }],
  // DigitalOcean, Linode, jqGrid, LogicMonitor, Infoblox, Teleport, Opsview, Hydra, BigQuery, vRealize, Snow
  ['links.pages.next', { droplets: LIST, links: { pages: { next: 'x', last: 'y' } } }],
  ['results', { data: LIST, results: 100 }],
  ['records', { page: '1', total: '2', records: '300', rows: LIST }],
  ['total', { total: -51, items: LIST }],
  ['isMin', { total: 2, isMin: true, items: LIST }],
  ['next_page_id', { next_page_id: 'x', result: LIST }],
  ['startKey', { items: LIST, startKey: 'abc' }],
  ['summary.totalrows', { summary: { rows: '2', totalrows: '300' }, list: LIST }],
  ['summary.total', { summary: { total: 30, failed: 1 }, hosts: LIST }],
  ['hydra:view.hydra:next', { 'hydra:member': LIST, 'hydra:view': { '@id': 'x', 'hydra:next': 'abc' } }],
  ['jobComplete', { jobComplete: false, rows: LIST }],
  ['links', { links: [{ href: 'x', rel: 'RELATED', name: 'next' }], list: LIST }, { data_key: 'list' }],
  ['Links', { Links: [{ Rel: 'Next', Href: 'x' }], Body: LIST }, { data_key: 'Body' }],
  ['paginationCookie', { vms: LIST, paginationCookie: 'abc' }],
  ['pages', { records: 2, page: 1, pages: 5, rows: LIST }],
  ['of', { of: 30, hosts: LIST }],
  ['of', { page: 1, of: 2, hosts: LIST }],
  ['page.of', { page: { current: 1, of: 5 }, hosts: LIST }],
  ['page', { page: '1 of 5', hosts: LIST }],
  ['showing', { showing: '1-2 of 30', hosts: LIST }],
  ['timeouts', { timeouts: ['eu-1'], hosts: LIST }, { data_key: 'hosts' }],
  ['_nodes.failed', { _nodes: { total: 3, successful: 2, failed: 1 }, hosts: LIST }, { data_key: 'hosts' }],
  [
    'after_key',
    { aggregations: { h: { after_key: { host: 'x' }, buckets: LIST } } },
    { data_key: 'aggregations.h.buckets' },
  ],
  ['sum_other_doc_count', { h: { sum_other_doc_count: 77, buckets: LIST } }, { data_key: 'h.buckets' }],
  ['page_context.has_more_page', { page_context: { page: 1, has_more_page: true }, hosts: LIST }],
  ['moreItemsInCollection', { additional_data: { moreItemsInCollection: true }, hosts: LIST }],
  ['nr_of_hosts', { nr_of_hosts: 9, hosts: LIST }],
  ['is_end', { is_end: 0, hosts: LIST }],
  ['completed', { completed: 'no', hosts: LIST }],
  ['hit_limit', { hit_limit: true, hosts: LIST }],
  ['unavailable_nodes', { unavailable_nodes: ['n3'], hosts: LIST }, { data_key: 'hosts' }],
  ['traceback', { traceback: 'x', hosts: LIST }],
  ['message', { message: 'Showing 2 of 300 results', hosts: LIST }],
  ['notice', { notice: '2 of 300 records were returned', hosts: LIST }],
  ['message', { message: 'Too many results, refine the search', hosts: LIST }],
  ['warnings', { warnings: ['site b did not respond'], hosts: LIST }, { data_key: 'hosts' }],
  // In elements of lists on the way to the records: FortiManager, InfluxDB and others
  [
    'result.status.code',
    { result: [{ data: LIST, status: { code: -11, message: 'No permission' } }] },
    { data_key: 'result[].data[]' },
  ],
  [
    'results.series.partial',
    { results: [{ series: [{ values: LIST, partial: true }] }] },
    { data_key: 'results[].series[].values[]' },
  ],
  [
    'groups.error',
    {
      groups: [
        { name: 'a', hosts: [LIST[0]] },
        { hosts: [LIST[1]], error: 'timeout' },
      ],
    },
    { data_key: 'groups[].hosts[]' },
  ],
  [
    'groups.nextToken',
    { groups: [{ hosts: [LIST[0]], nextToken: 'x' }, { hosts: [LIST[1]] }] },
    { data_key: 'groups[].hosts[]' },
  ],
  [
    'groups.total',
    {
      groups: [
        { total: 1, hosts: [LIST[0]] },
        { total: 9, hosts: [LIST[1]] },
      ],
    },
    { data_key: 'groups[].hosts' },
  ],
];

/** Lists that are whole, whatever stands beside them. */
const WHOLE: readonly [document: unknown, fields?: Fields][] = [
  [LIST],
  [{ hosts: LIST }],
  [{ next: null, count: 2, previous: null, results: LIST }],
  [{ next: '', hosts: LIST }],
  [{ next: false, hosts: LIST }],
  [{ next: { href: '' }, hosts: LIST }],
  [{ links: { self: 'x', next: null, last: 'http://x?page=1' }, data: LIST }],
  [{ metadata: { continue: '', resourceVersion: '1234' }, items: LIST }],
  [{ IsTruncated: false, isLast: true, has_more: false, hosts: LIST }],
  [{ next_page: 0, pages: 1, total_pages: 1, last_page: 1, hosts: LIST }],
  [{ total: 2, per_page: 2, hosts: LIST }],
  [{ limit: 2, next: null, hosts: LIST }],
  [{ limit: 50, offset: 0, hosts: LIST }],
  [{ count: 2, hosts: LIST }],
  [{ count: 1, hosts: LIST }],
  [{ errors: [], error: null, warnings: [], hosts: LIST }, { data_key: 'hosts' }],
  [{ error: '', errorCode: 0, errorMessage: 'no error', hosts: LIST }],
  [{ error: { code: 0, message: 'OK' }, hosts: LIST }],
  [{ status: 'ok', success: true, hosts: LIST }],
  [{ status: 'success', code: 200, message: 'OK', hosts: LIST }],
  [{ status: 200, status_code: 200, hosts: LIST }],
  [{ status: { code: 200, message: 'fine' }, hosts: LIST }],
  [{ took: 12, total_time: 9000, total_ms: 100, totalMemoryGb: 512, version: '4.2', id: 77, hosts: LIST }],
  [{ facets: { total: 300, error: 5, next: 'x' }, hosts: LIST }],
  [{ terror: 'x', nextboot: 'soon', next_run: '2026-01-01T00:00:00Z', nextUpdate: 'daily', mirror: true, hosts: LIST }],
  [{ quota_max: 300, quota_remaining: 299, rate_limit: { remaining: 4999, limit: 5000 }, hosts: LIST }],
  [
    {
      _shards: { total: 5, successful: 5, skipped: 0, failed: 0 },
      timed_out: false,
      hits: { total: { value: 2, relation: 'eq' }, hits: LIST },
    },
    { data_key: 'hits.hits' },
  ],
  [{ next_cursor: 'abc', has_more: false, hosts: LIST }],
  [{ cursor: 'abc', has_more: false, hosts: LIST }],
  [{ last_id: 'abc', total: 2, hosts: LIST }],
  [{ totalResults: 2, itemsPerPage: 2, startIndex: 1, Resources: LIST }],
  [{ total: 900, subtotal: 2, hosts: LIST }],
  [{ recordsTotal: 900, recordsFiltered: 2, data: LIST }],
  [{ done: true, totalSize: 2, records: LIST }],
  [{ '@odata.context': 'x', '@odata.deltaLink': 'http://x', '@odata.count': 2, value: LIST }],
  [{ warnings: ['parameter foo is deprecated'], hosts: LIST }, { data_key: 'hosts' }],
  [
    {
      hosts: [
        { host: 'w1', total: 300, error: 'disk', next: 'w2', status: 'error' },
        { host: 'w2', has_more: true },
      ],
    },
  ],
  [{ x: { next: 'b' }, hosts: LIST }],
  [{ jsonrpc: '2.0', result: LIST, id: 1 }],
  [{ value: LIST, count: 2 }],
  [{ total: 2, subtotal: 2, page: 1, per_page: 20, search: null, sort: { by: null, order: null }, results: LIST }],
  [{ 'Members@odata.count': 2, '@odata.id': '/redfish/v1/Systems', Members: LIST }],
  [{ data: { h: { pageInfo: { hasNextPage: false, endCursor: 'abc' }, nodes: LIST } } }, { data_key: 'data.h.nodes' }],
  [{ links: [{ rel: 'self', href: 'x' }], id: 'host', value: LIST, extensions: {} }, { data_key: 'value' }],
  [{ servers: LIST, meta: { pagination: { page: 1, per_page: 25, next_page: null, last_page: 1, total_entries: 2 } } }],
  [{ meta: { rc: 'ok' }, result_code: 0, more_info: 'https://docs', preview: false, data: LIST }],
  [{ meta: { pagination: { offset: 'abc', limit: 100, total: 2 } }, resources: LIST }],
  [{ response_status: [{ status_code: 2000, status: 'success' }], assets: LIST }, { data_key: 'assets' }],
  [{ code: 1, msg: 'success', status: 'ok', took: 3, data: LIST }],
  // Jenkins, Prometheus, AWS, FortiManager, jqGrid, Linode
  [{ busyExecutors: 1, computer: LIST, displayName: 'Nodes', totalExecutors: 12 }],
  [
    { status: 'success', data: { activeTargets: LIST, droppedTargets: [], droppedTargetCounts: { a: 50 } } },
    { data_key: 'data.activeTargets' },
  ],
  [{ Reservations: [{ OwnerId: '1', Groups: [], Instances: LIST }] }, { data_key: 'Reservations[].Instances[]' }],
  [{ result: [{ data: LIST, status: { code: 0, message: 'OK' } }] }, { data_key: 'result[].data[]' }],
  [{ total: 1, page: 1, records: 2, rows: LIST }],
  [{ data: LIST, page: 1, pages: 1, results: 2 }],
  // The state of a thing with a name, and what was found of hosts
  [{ name: 'prod', state: 'running', nodes: LIST }],
  [{ groups: [{ name: 'a', state: 'degraded', total: 2, hosts: LIST }] }, { data_key: 'groups[].hosts[]' }],
  [{ summary: { total: 2, passed: 1, failed: 1 }, hosts: LIST }],
  [{ total_vcpus: 300, failed_logins: 3, timeout: 30, hosts: LIST }],
  [{ after: '2024-01-01', before: '2024-02-01', hosts: LIST }],
  [{ page: '1 of 1', hosts: LIST }],
  [{ message: '3 of 10 hosts are down', done: 0, last: '', exc: null, nr_of_hosts: 2, hosts: LIST }],
  [
    { _nodes: { total: 2, successful: 2, failed: 0 }, h: { sum_other_doc_count: 0, buckets: LIST } },
    { data_key: 'h.buckets' },
  ],
  [{ page: 1, of: 1, showing: '1-2 of 2', hosts: LIST }],
];

describe.each(Object.entries(READERS))('a list that is read as %s', (name, read) => {
  it.each<[string, unknown, Fields?]>([...PARTS])('is a part by %s: %j', async (member, document, fields = {}) => {
    // An address leads on over HTTP; what is none does not.
    const found = gaps(await read(document, fields));
    expect(found, JSON.stringify(document)).not.toEqual([]);
    expect(found.join('\n')).toContain(member);
    expect(found.join('\n')).toContain('ignored_members');
    expect(gaps(await read(document, { ...fields, ignored_members: '*' }))).toEqual([]);
  });

  it.each<[unknown, Fields?]>([...WHOLE])('is whole: %j', async (document, fields = {}) => {
    expect(gaps(await read(document, fields)), name).toEqual([]);
  });

  it('is whole where the member that says otherwise is ignored by its name', async () => {
    const document = { pagination: { next_cursor: 'abc' }, widget_error: 'x', hosts: LIST };
    expect(gaps(await read(document, { ignored_members: 'next_cursor, widget_error' }))).toEqual([]);
    expect(gaps(await read(document, { ignored_members: 'pagination.next_cursor' }))).toHaveLength(1);
  });
});

describe('heads of answers', () => {
  const items = (headers: Readonly<Record<string, string>>, fields: Fields = {}) =>
    overHttp(LIST, fields, headers).then(gaps);

  it.each([
    ['X-Next-Page', '2'],
    ['X-Next-Cursor', 'abc'],
    ['X-Total', '9'],
    ['X-Total-Count', '9'],
    ['X-Total-Pages', '5'],
    ['X-Records', '9'],
    ['X-WP-Total', '9'],
    ['X-WP-TotalPages', '5'],
    ['X-Pagination', '{"TotalCount":9,"PageSize":50}'],
    ['X-Pagination-Total-Count', '9'],
    ['X-Has-More', 'true'],
    ['X-Consul-Results-Filtered-By-ACLs', 'true'],
    ['X-Page-Total', '9'],
    ['Sensu-Continue', 'abc'],
    ['Continuation-Token', 'abc'],
    ['Result-Count', '9'],
    ['Content-Range', '0-1/*'],
    ['Content-Range', 'items 0-1/9'],
    ['Total-Count', '9'],
    ['OPC-Next-Page', 'abc'],
    ['X-MS-ContinuationToken', 'abc'],
    ['Next-Range', 'id 3..'],
    ['X-Nomad-NextToken', 'abc'],
    ['X-List-Total', '9'],
    ['Pagination', '{"total":9}'],
    ['Warning', '199 - "partial results"'],
  ])('say by %s that there is more', async (header, value) => {
    const [gap, ...others] = await items({ [header]: value });
    expect(gap?.toLowerCase()).toContain(header.toLowerCase());
    expect(others).toEqual([]);
    const named = /name (\S+) in ignored_members/.exec(gap ?? '')?.[1];
    expect(await items({ [header]: value }, { ignored_members: named })).toEqual([]);
  });

  it('of lists that are whole say nothing', async () => {
    const headers = {
      'x-total': '2',
      'x-next-page': '',
      'x-per-page': '2',
      'x-total-pages': '1',
      'x-ratelimit-remaining': '4999',
      'x-ratelimit-limit': '5000',
      'x-request-id': '77',
      'x-runtime': '9',
      'content-range': 'items 0-1/2',
      'x-cache-hits': '12',
      'x-memory-total': '4096',
      warning: '110 - "Response is Stale"',
      'x-error-count': '0',
    };
    expect(await items(headers)).toEqual([]);
  });
});

describe('documents and lines over HTTP', () => {
  const HEADS: readonly [string, Readonly<Record<string, string>>, number?][] = [
    ['X-Total', { 'x-total': '9' }],
    ['Link', { link: '<http://x?page=2>; rel="next"' }],
    ['status 206', {}, 206],
    ['status 207', {}, 207],
  ];

  it.each(HEADS)('are parts by %s', async (member, headers, code = 200) => {
    server.at('/hosts.yml', content('- host: w1\n- host: w2\n', headers, code));
    const yaml = gaps(await itemsOf(openYaml({ url: `${server.origin}/hosts.yml` })));
    expect(yaml.join()).toContain(member);
    server.at('/list', content('{"host":"w1"}\n{"host":"w2"}\n', headers, code));
    const lines = gaps(await itemsOf(await openRest(server.origin, { path: 'list', records: 'lines' })));
    expect(lines.join()).toContain(member);
  });
});

describe('answers of systems that are known', () => {
  const hosts = { w1: {}, w2: {} };
  const inventory = async (meta: object, more: object = {}) => {
    const document = { _meta: { hostvars: hosts, ...meta }, all: { children: ['failed'] }, failed: { hosts: ['w1'] } };
    const path = await temporaryFile(JSON.stringify({ ...document, ...more }));
    return itemsOf(openAnsible({ path, reads: 'output' }));
  };

  it('of ansible-inventory are refused with an error beside the hosts; groups may have any name', async () => {
    expect(gaps(await inventory({ profile: 'inventory_legacy' }))).toEqual([]);
    await expect(inventory({ error: 'region eu does not answer' })).rejects.toThrow('region eu does not answer');
    await expect(inventory({ truncated: true })).rejects.toThrow('is not the whole inventory');
    await expect(inventory({}, { error: { message: 'timed out' } })).rejects.toThrow('timed out');
    await expect(inventory({}, { errors: { eu: 'down' } })).rejects.toThrow('down');
  });

  const page = { results: [{ hostname: 'w1', labels: {} }], size: 1 };
  it.each([[{ error: 'one node is down' }], [{ partial_errors: ['node-2'] }], [{ status: 'failure' }]])(
    'of another Muster are refused with %j',
    async (said) => {
      server.at('/api/v1/objects/all', json({ ...page, ...said }), json(page));
      const client = lazyHttp({ now: () => new Date() }).client({ url: server.origin });
      const read = async () => collect(readHosts(client, musterOptions().parse({ url: server.origin }), readContext()));
      await expect(read()).rejects.toThrow('is not the whole list');
      expect(await read()).toMatchObject([{ hostname: 'w1' }]);
    },
  );

  it('of another Muster without a name give their keys', async () => {
    server.at('/api/v1/objects/all', json({ results: [{ hostname: null, keys: { serial: ['J4711'] } }], size: 1 }));
    const client = lazyHttp({ now: () => new Date() }).client({ url: server.origin });
    const items = await collect(readHosts(client, musterOptions().parse({ url: server.origin }), readContext()));
    expect(items).toMatchObject([{ kind: 'skipped', keys: { serial: ['J4711'] } }]);
  });

  const devices = [{ id: 1 }, { id: 2 }];
  it.each<[object, size?: number]>([
    [{ count: 5, next: null }],
    [{ count: 5 }],
    [{}, 2],
    [{ count: 2, next: null, error: 'query was cancelled' }],
    [{ count: 2, next: null, warnings: ['partial results'] }],
  ])('of a NetBox are refused with %j', async (said, size = 50) => {
    server.at('/api/list/', json({ ...said, results: devices }), json({ count: 2, next: null, results: devices }));
    const client = lazyHttp({ now: () => new Date() }).client({ url: server.origin });
    const request = { path: 'api/list/', query: {}, size, hasCursor: false };
    const read = () => collect(pages(client, request, readContext()) as never);
    await expect(read()).rejects.toThrow('is not the whole list');
    expect(await read()).toHaveLength(2);
  });
});

describe('a run that reads a part', () => {
  it.each([
    [{ error: { message: 'Transaction cancelled: maximum execution time exceeded' }, status: 'failure' }],
    [{ errors: ['node 3 does not answer'] }],
    [{ status: 'failure' }],
  ])('of ServiceNow archives nothing by %j, and archives without that', async (said) => {
    const record = (number: number) => ({ sys_id: `${number}`.padStart(32, '0'), name: `srv0${number}` });
    const result = [1, 2, 3].map(record);
    const few = result.slice(0, 2);
    let answer: object = { result };
    const at = by(({ path }) =>
      json(path.includes('sysparm_offset=0') || !path.includes('offset') ? answer : { result: [] }),
    );
    server.at('/api/now/table/cmdb_ci_server', at);
    const source = await openRest(server.origin, { preset: 'servicenow' });
    const { run, active } = await world();
    const options = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };
    expect(await run(source, { options })).toMatchObject({ status: 'done' });
    answer = { result: few, ...said };
    expect(await run(source, { options })).toMatchObject({ status: 'partial', summary: { archived: 0 } });
    expect(await active()).toHaveLength(3);
    answer = { result: few };
    expect(await run(source, { options })).toMatchObject({ status: 'done', summary: { archived: 1 } });
  });
});

it('makes a list of names and texts in a list of a template', () => {
  const values = { owner: 'ops', nothing: undefined } as never;
  expect(compileValue('x', { a: '{{ [owner] }}', b: "{{ ['x', owner] }}", c: '{{ [gone] }}' })(values)).toEqual({
    a: ['ops'],
    b: ['x', 'ops'],
    c: [],
  });
});

describe('a page as full as was asked for', () => {
  it.each<[Fields]>([
    [{ query: 'limit=2' }],
    [{ query: 'kind=vm&per_page=2' }],
    [{ query: '$top=2' }],
    [{ page_size: 2, page_size_parameter: 'size', paging: 'none' }],
    [{ method: 'POST', body: '{"limit": 2}' }],
  ])('may not be the last one: %j', async (fields) => {
    const [gap = ''] = gaps(await overHttp({ hosts: LIST }, fields));
    expect(gap).toContain('nothing shows that these are all');
    const named = /name (\S+) in ignored_members/.exec(gap)?.[1];
    expect(gaps(await overHttp({ hosts: LIST }, { ...fields, ignored_members: named }))).toEqual([]);
    for (const said of [{ total: 2 }, { next: null }, { has_more: false }])
      expect(gaps(await overHttp({ hosts: LIST, ...said }, fields))).toEqual([]);
  });

  it('is one where less came than was asked for, or all of it, or pages are walked', async () => {
    expect(gaps(await overHttp({ hosts: LIST }, { query: 'limit=3' }))).toEqual([]);
    expect(gaps(await overHttp({ hosts: LIST }, { query: 'limit=0' }))).toEqual([]);
    expect(gaps(await overHttp({ hosts: LIST }, { query: 'site=2&limits=2' }))).toEqual([]);
  });
});

it('says nothing by a name that is made to take long, and is not searched for signs', () => {
  const long = 'number'.repeat(20_000);
  for (const [name, value] of [
    [`${long}x`, 5],
    [long, 5],
  ] as const) {
    const list = new WholeList([], 'items').document({ [name]: value, [`${long}meta`]: { [name]: value }, items: [] }, [
      'items',
    ]);
    expect(list.missing({ records: 1, remedy: '' })).toBeUndefined();
  }
});

it('lines with a name are records, whatever else they have', async () => {
  server.at('/list', content('{"name":"w1","status":"ok"}\n{"name":"w2","error":"disk"}\n'));
  const account = await openRest(server.origin, { path: 'list', records: 'lines', hostname_field: 'name' });
  expect(gaps(await itemsOf(account))).toEqual([]);
});

describe('the files of an account', () => {
  const read = async (type: 'json' | 'yaml', ...documents: readonly unknown[]): Promise<string[]> => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-pages-'));
    for (const [index, document] of documents.entries())
      await writeFile(join(folder, `page${index + 1}.${type}`), JSON.stringify(document));
    const path = join(folder, `*.${type}`);
    const items = await collect(
      type === 'json'
        ? readJson(jsonOptions().parse({ path }), sourceFiles, readContext())
        : readYaml(yamlOptions().parse({ path }), sourceFiles, readContext()),
    );
    return items.flatMap((item) => (item.kind === 'gap' ? [textOf(item.what)] : []));
  };
  const page = (from: number, records: number) =>
    Array.from({ length: records }, (_, index) => ({ host: `w${from + index}` }));

  it.each(['json', 'yaml'] as const)('are parts of one list where they are that together: %s', async (type) => {
    expect(
      await read(
        type,
        { total: 4, page: 1, next: '?page=2', hosts: page(1, 2) },
        { total: 4, page: 2, hosts: page(3, 2) },
      ),
    ).toEqual([]);
    expect(await read(type, { count: 3, hosts: page(1, 2) }, { count: 3, hosts: page(3, 1) })).toEqual([]);
    expect(
      await read(type, { pages: 2, page: 1, hosts: page(1, 2) }, { pages: 2, page: 2, hosts: page(3, 1) }),
    ).toEqual([]);
    expect(await read(type, { total: 2, hosts: page(1, 2) }, { total: 2, hosts: page(3, 2) })).toEqual([]);
  });

  it.each(['json', 'yaml'] as const)('are not where one of these is missing: %s', async (type) => {
    const missing = await read(
      type,
      { total: 5, page: 1, hosts: page(1, 2) },
      { total: 5, page: 2, hosts: page(3, 2) },
    );
    expect(missing).toEqual([`3 of 5 records in page1.${type}`, `3 of 5 records in page2.${type}`]);
    // Two lists, of which the first part of each is there
    const first = { total: 4, page: 1, hosts: page(1, 2) };
    expect(await read(type, first, { ...first, hosts: page(5, 2) })).toHaveLength(2);
    expect(await read(type, { next: 'abc', hosts: page(1, 2) }, { hosts: page(3, 2) })).toHaveLength(1);
    expect(await read(type, { total: 4, hosts: page(1, 4) }, { total: 4, hosts: page(5, 2) })).toHaveLength(1);
  });
});

describe.each(Object.entries(READERS))('a list of names with rows below, by %s', (_, read) => {
  const recordsOf = (items: readonly SourceItem[]) =>
    items.map((item) => (item.kind === 'record' ? [item.hostname, item.labels] : [item.kind]));
  const ROWS = [
    ['host', 'site', 'cores'],
    ['w1', 'berlin', 8],
    ['w2', null, 4],
  ];
  const HOSTS = [
    ['w1', { site: 'berlin', cores: 8 }],
    ['w2', { site: null, cores: 4 }],
  ];

  it.each([
    [ROWS, {}],
    [{ data: ROWS }, { data_key: 'data' }],
    [[...ROWS.slice(0, 2), ROWS[0], ROWS[2]], {}],
  ])('is read as records: %j', async (document, fields) => {
    expect(recordsOf(await read(document, fields))).toEqual(HOSTS);
  });

  it.each([
    ['a row of another width', [...ROWS, ['w3', 'fra']], [...HOSTS, ['gap']]],
    ['rows without names', ROWS.slice(1), [['gap'], ['gap']]],
    ['an object among them', [...ROWS, { host: 'w3' }], [...HOSTS, ['w3', {}]]],
  ])('%s is no other record', async (_name, document, records) => {
    expect(recordsOf(await read(document, {}))).toEqual(records);
  });
});
