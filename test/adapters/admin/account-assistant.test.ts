import { describe, expect, it } from 'vitest';
import {
  cellOf,
  columnsOf,
  endOf,
  fileNameOf,
  lacksHostnames,
  likelyHostname,
  mayBeLeftOut,
  ownedLabels,
  type Tried,
} from '../../../src/adapters/admin/pages/accounts/assistant/columns.ts';

function tried(given: Partial<Tried>): Tried {
  return { message: '', columns: null, hostname_field: 'host', records: [], problem: null, ...given };
}

const WEB01 = { position: 'line 2', name: 'WEB01', hostname: 'web01', labels: { site: 'berlin', cpus: 4 } };

describe('the table of first records', () => {
  it('has the columns of the source, with the hostname in front', () => {
    expect(columnsOf(tried({ columns: ['site', 'host', 'os'] }))).toEqual(['host', 'site', 'os']);
  });

  it('has what the records have where the source does not say', () => {
    expect(columnsOf(tried({ records: [WEB01, { position: 'line 3', name: '', problem: 'no hostname' }] }))).toEqual([
      'host',
      'site',
      'cpus',
    ]);
  });

  it('has no column for a hostname that none of them has', () => {
    expect(columnsOf(tried({ columns: ['device', 'rack'] }))).toEqual(['device', 'rack']);
  });

  it('has a column called as hostnames usually are, which is taken where no record has a name yet', () => {
    const problem = 'has no column "host"';
    expect(likelyHostname(tried({ columns: ['rack', 'Host-Name'], problem }))).toBe('Host-Name');
    expect(likelyHostname(tried({ columns: ['rack', 'name', 'fqdn'], problem }))).toBe('fqdn');
    expect(likelyHostname(tried({ columns: ['rack', 'device'], problem }))).toBeUndefined();
    expect(likelyHostname(tried({ columns: ['host', 'hostname'], records: [WEB01] }))).toBeUndefined();
  });

  it('has what records without a name have, from which the hostname is chosen', () => {
    const nameless = { position: 'record 1', name: '', problem: 'has no name', labels: { device: 'web01' } };
    const none = tried({ records: [nameless, nameless] });
    expect([lacksHostnames(none), columnsOf(none)]).toEqual([true, ['device']]);
    const some = tried({ records: [nameless, WEB01] });
    expect([lacksHostnames(some), columnsOf(some)]).toEqual([false, ['host', 'device', 'site', 'cpus']]);
    const refused = { position: 'record 1', name: 'web 01', problem: 'is not a valid hostname' };
    expect(lacksHostnames(tried({ records: [refused] }))).toBe(false);
    expect([lacksHostnames(tried({})), lacksHostnames(tried({ problem: 'has no column "host"' }))]).toEqual([
      false,
      true,
    ]);
  });

  it('shows the name as the source has it', () => {
    expect(['host', 'site', 'cpus', 'os'].map((column) => cellOf(WEB01, column, 'host'))).toEqual([
      'WEB01',
      'berlin',
      '4',
      '',
    ]);
  });
});

describe('columns that become no labels', () => {
  it('are named as exclusions, but for the one with the hostname', () => {
    expect(ownedLabels(new Set(['serial', 'host', 'notes']), 'host')).toBe('!notes,!serial');
    expect(ownedLabels(new Set(), 'host')).toBe('');
  });

  it('cannot be those whose names a list would read otherwise', () => {
    expect(['serial', 'rack, row', 'disk*', '!x'].map(mayBeLeftOut)).toEqual([true, false, false, false]);
  });
});

describe('files that are given', () => {
  it('are named after the account, in letters that are safe', () => {
    expect(fileNameOf('Datacentre Berlin')).toBe('Datacentre-Berlin');
    expect(fileNameOf('../Zürich')).toBe('Zu-rich');
    expect(fileNameOf('日本')).toBe('hosts');
  });

  it('are for types of text', () => {
    expect(['csv', 'json', 'yml', 'netbox', 'constructor'].map(endOf)).toEqual([
      'csv',
      'json',
      'yaml',
      undefined,
      undefined,
    ]);
  });
});
