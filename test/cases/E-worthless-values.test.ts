import { describe, expect, it } from 'vitest';
import { isNoName, isWorthless } from '../../src/kit/records/worthless-values.ts';
import type { SourceItem } from '../../src/ports/index.ts';
import { sourceOf, world } from '../app/import/support.ts';

const SERIALS = `N/A|(null string)|INVALID|EVAL|IATPASS|none|empty|Unknow|Not Specified|To Be Filled By O.E.M.|To be filled by O.E.M|System Serial Number|SystemSerialNumb|
OEM_Serial|Serial Number xxxxxx|Tulip Computers|SYS-1234567890|SYS-9876543210|SN-12345|MB-1234567890|SN-123456fvgv3i0b8o5n6n7k|12345|12345678|123456789000|12345678901234567|
0123456789|000000|1111111|010101|NNNNNNN|1.0|2.3.1|Not Installed|No Asset Tag|System Product Name|<BAD INDEX>|<OUT OF SPEC><OUT OF SPEC>|....................|ABC|
Not Settable|Default string|#N/A|#BEZUG!|#DIV/0!|Err:508|\\N|NaN|87654321|N/A (VM)|N/A-12345|Chassis Serial#|None given|EVAL-0815`;
const UUIDS = `00000000-0000-0000-0000-000000000000|03000200-0400-0500-0006-000700080009|03020100-0504-0706-0809-0a0b0c0d0e0f|10000000-0000-8000-0040-000000000000|
00020003-0004-0005-0006-000700080009|02000100-0300-0400-0005-000600070008|07090201-0103-0301-0807-060504030201|11111111-2222-3333-4444-555555555555|
FEFEFEFE-fefe-fefe-fefe-fefefefefefe|890e2d14-cacd-45d1-ae66-bc80e8bfeb0f|deadbeef-ffff-ffff-ffff-ffffffffffff|4c4c4544-0000-2010-8020-80c04f202020|
4c4c4544-0020-2010-8020-a0c04f202020|{6AB5B300538D10149FB5B0684D007B53}|2|12345678-1234-5678-90ab-cddeefaabbcc|Not Settable`;
const MACS = `00:00:00:00:00:00|ee:ee:ee:ee:ee:ee|fe:ff:ff:ff:ff:ff|44:45:53:54:00:00|44-45-53-54-61-6F|2041.5359.4eff|33:50:6f:45:30:30|0a:00:27:00:00:00|00:50:56:c0:00:08|
00:0F:EA:9A:E2:F0|01:00:5e:00:00:01|00:00:5e:00:01:0a|0000.0c07.ac01|aa:bb:cc:dd:ee:ff|unknown|00:50:56`;
const listed = (text: string): readonly string[] => text.replaceAll('\n', '').split('|');

describe('values that are the same on many machines', () => {
  it('are no keys', () => {
    const missed = [
      ...listed(SERIALS).map((value) => ['serial', value] as const),
      ...listed(UUIDS).map((value) => ['bios_uuid', value] as const),
      ...listed(MACS).map((value) => ['mac', value] as const),
      ...['localhost', 'LOCALHOST.localdomain', 'web.localdomain', 'unknown', 'not specified'].map(
        (value) => ['fqdn', value] as const,
      ),
      ...['none', 'N/A', 'null', 'To be filled by O.E.M.'].map((value) => ['id', value] as const),
    ].filter(([key, value]) => !isWorthless(key, value));
    expect(missed).toEqual([]);
  });

  it.each([
    '0123456789ABCDEF',
    'BSS-0123456789',
    'Type1ProductConfigId',
    'VMware Virtual Platform',
    'QEMU',
    'dmidecode: not found',
    'unbekannt',
    'nicht verfügbar',
    'Change Me',
    'Virtual Machine',
    '0xFFFFFFFF',
    '1.23457E+12',
    'BSN12345678901234567',
    'GB1234567890',
  ])('are no serials either: %s', (value) => expect(isWorthless('serial', value)).toBe(true));

  it.each([
    ['mac', '02:00:00:00:00:00'],
    ['mac', '00:53:45:00:00:00'],
    ['mac', 'de:ad:be:ef:00:01'],
    ['mac', '02:42:0a:00:00:05'],
    ['asset_tag', 'ATN12345678901234567'],
    ['asset_tag', 'Chassis Asset Tag'],
    ['id', '00000000-0000-0000-0000-000000000000'],
  ])('%s %s is none', (key, value) => expect(isWorthless(key, value)).toBe(true));

  it.each(['<null>', '[NULL]', '(none)', '<none>', '<NA>', '{unknown}', 'undefined', '[object Object]'])(
    '%s is no name',
    (name) => expect(isNoName(name)).toBe(true),
  );

  it('are names of hosts otherwise', () => {
    expect(['unknown', 'none.example.org', '[web]', 'na', 'undefined01'].filter((name) => isNoName(name))).toEqual([]);
  });

  it('are not those that tell a machine apart, nor ids of a system', () => {
    const refused = [
      ['id', '7'],
      ['id', '1234567890'],
      ['id', 'default-pool'],
      ['cloud_id', 'i-0001'],
      ['asset_tag', '7'],
      ['serial', '0815'],
      ['serial', 'vmware-vm-17'],
      ['serial', 'SN48213377'],
      ['serial', '12E4567'],
      ['id', '00000000-0000-0000-0000-000000000042'],
      ['mac', '02:00:00:00:00:01'],
      ['serial', 'NA123456'],
      ['serial', '12345ABC'],
      ['serial', 'VMware-56 4d 1a 2b'],
      ['uuid', '4c4c4544-0044-4210-8031-b4c04f333932'],
      ['uuid', '00000000-0000-0000-0000-0cc47a112233'],
      ['mac', '00:1a:2b:3c:4d:5e'],
      ['fqdn', 'none.example.org'],
    ].filter(([key = '', value = '']) => isWorthless(key, value));
    expect(refused).toEqual([]);
  });

  it('are also those of the operator', () => {
    const worthless = ['LAB-*', '00:50:b6:*'];
    expect(isWorthless('serial', 'lab 0815', worthless)).toBe(true);
    expect(isWorthless('mac', '0050.b611.2233', worthless)).toBe(true);
    expect(isWorthless('id', 'LAB-9', worthless)).toBe(true);
    expect(isWorthless('serial', 'XLAB-0815', worthless)).toBe(false);
  });

  it.each([
    ['serial', 'SYS-1234567890'],
    ['serial', 'To be filled by O.E.M'],
    ['mac', '44:45:53:54:00:00'],
    ['uuid', '03020100-0504-0706-0809-0a0b0c0d0e0f'],
    ['serial', 'LAB-0815'],
  ])('do not make a new machine of an old one: %s %s', async (key, value) => {
    const here = await world();
    const record = (hostname: string): SourceItem => ({
      kind: 'record',
      position: 'line 2',
      hostname,
      labels: {},
      keys: { [key]: [value] },
    });
    await here.run(sourceOf([record('old-web')]), { worthless: ['LAB-*'] });
    expect(await here.run(sourceOf([record('new-db')]), { worthless: ['LAB-*'] })).toMatchObject({
      renamed: 0,
      summary: { created: 1 },
    });
    expect(await here.active()).toEqual(['new-db', 'old-web']);
  });
});
