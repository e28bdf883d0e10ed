import { expect, it } from 'vitest';
import { compareGroups, readCronGroup } from '../../../src/app/runs/cron/decisions/group.ts';
import { groupOf, recordOf } from './groups.ts';

it('reads an empty document as a disabled group without schedule, window, jobs and webhook', () => {
  expect(readCronGroup(recordOf({ name: 'empty' }))).toMatchObject({
    name: 'empty',
    enabled: false,
    sortField: 0,
    intervalMinutes: null,
    window: null,
    jobs: [],
    runOnceNext: false,
    continueOnError: false,
    webhookEnabled: false,
    webhookTokenHash: '',
    webhookPolicy: null,
  });
});

it('reads numbers and flags that older exports write as texts', () => {
  const group = groupOf({
    enabled: 'True',
    sort_field: '7',
    custom_interval_in_minutes: '15',
    interval: 'daily',
    timerange_from: '8',
    timerange_to: '18',
    run_once_next: 'true',
    continue_on_error: 'yes',
    webhook_enabled: 1,
    webhook_policy: { secret_crypted: 'sealed', window_seconds: '60', allow_ips: [' 10.0.0.0/8 ', '::1'] },
  });
  expect(group).toMatchObject({
    enabled: true,
    sortField: 7,
    intervalMinutes: 15,
    window: { from: 8, to: 18 },
    runOnceNext: true,
    continueOnError: true,
    webhookEnabled: true,
    webhookPolicy: { secretCrypted: 'sealed', windowSeconds: 60, allowIps: ['10.0.0.0/8', '::1'] },
  });
});

it.each([
  [{ timerange_to: '24' }, null],
  [{ timerange_from: '0', timerange_to: '24' }, null],
  [{ timerange_from: null, timerange_to: null }, null],
  [{ timerange_from: '', timerange_to: '' }, null],
  [{ timerange_from: '22' }, { from: 22, to: 24 }],
  [{ timerange_to: '6' }, { from: 0, to: 6 }],
])('reads the window of %j', (document, window) => {
  expect(groupOf(document).window).toEqual(window);
});

it.each([
  [{ interval: 'hour', custom_interval_in_minutes: null }, 60],
  [{ interval: 'hour', custom_interval_in_minutes: '' }, 60],
  [{ interval: 'hour', custom_interval_in_minutes: 0 }, 60],
  [{ interval: 'hour', custom_interval_in_minutes: -5 }, 60],
  [{ interval: 'hour', custom_interval_in_minutes: '90' }, 90],
  [{ interval: null }, null],
  [{ interval: 'weekly' }, null],
  [{ interval: 'constructor' }, null],
])('reads the interval of %j', (document, minutes) => {
  expect(groupOf(document).intervalMinutes).toBe(minutes);
});

it('reads jobs with accounts by name, by id and without', () => {
  const jobs = [
    { name: 'import', command: 'Import', account: 'crm' },
    { command: 'CSV: Import Hosts', account: { $oid: '65a1b2c3d4e5f60718293a4b' } },
    { name: null, command: 'Autorules', account: null },
    { name: 7, command: 'Maintenance', account: '' },
    'nonsense',
  ];
  expect(groupOf({ jobs }).jobs).toEqual([
    { name: 'import', command: 'Import', account: 'crm' },
    { name: '', command: 'CSV: Import Hosts', account: '65a1b2c3d4e5f60718293a4b' },
    { name: '', command: 'Autorules', account: undefined },
    { name: '7', command: 'Maintenance', account: undefined },
  ]);
});

it('takes 300 seconds for the window of a signature that does not say', () => {
  expect(groupOf({ webhook_policy: { secret_crypted: 'x' } }).webhookPolicy).toEqual({
    secretCrypted: 'x',
    windowSeconds: 300,
    allowIps: [],
  });
});

it('orders by sort_field, then name, then id', () => {
  const groups = [
    groupOf({ name: 'b', sort_field: 2 }, '1'),
    groupOf({ name: 'a', sort_field: 2 }, '3'),
    groupOf({ name: 'a', sort_field: 2 }, '2'),
    groupOf({ name: 'z', sort_field: -1 }, '4'),
    groupOf({ name: 'ä' }, '5'),
    groupOf({ name: 'Z' }, '6'),
  ];
  expect(groups.sort(compareGroups).map(({ id }) => id)).toEqual(['4', '6', '5', '2', '3', '1']);
});
