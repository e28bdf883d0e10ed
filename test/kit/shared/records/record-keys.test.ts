import { describe, expect, it } from 'vitest';
import { RecordKeys, readKeyField } from '../../../../src/kit/records/record-keys.ts';

describe('key_fields', () => {
  it.each([
    ['serial', { name: 'serial', path: 'serial' }],
    ['hardware.Serial', { name: 'serial', path: 'hardware.Serial' }],
    ['mac:interfaces[].mac_address', { name: 'mac', path: 'interfaces[].mac_address' }],
    ['interfaces[].mac', { name: 'mac', path: 'interfaces[].mac' }],
    ['macs[]', { name: 'macs', path: 'macs[]' }],
    [' uuid : bios uuid ', { name: 'uuid', path: 'bios uuid' }],
    ['serial:Serial: no', { name: 'serial', path: 'Serial: no' }],
  ])('%s is a key', (text, field) => {
    expect(readKeyField(text)).toEqual(field);
  });

  it.each(['', ':', 'serial:', '9', 'Serial No', 'a-b:c'])('"%s" is none', (text) => {
    expect(readKeyField(text)).toBeUndefined();
  });

  it('are found in lists and objects, as texts, each name once', () => {
    const keys = new RecordKeys(['serial', 'mac:nics[].mac', 'mac:ilo.mac', 'id', 'nothing', 'is_on', 'hw']);
    const record = {
      serial: ' J1 ',
      nics: [{ mac: 'a' }, {}, { mac: null }, { mac: ['b', ''] }],
      ilo: { mac: 'c' },
      id: 17,
      is_on: true,
      hw: { x: 1 },
    };
    expect(keys.of(record)).toEqual({ serial: [' J1 '], mac: ['a', 'b', 'c'], id: ['17'] });
    expect(keys.of({ serial: '' })).toBeUndefined();
    const item = { kind: 'record', position: 'x', hostname: 'h', labels: {} } as const;
    expect(keys.added(item, { id: 1 })).toEqual({ ...item, keys: { id: ['1'] } });
    expect(keys.added(item, 'text')).toBe(item);
  });
});
