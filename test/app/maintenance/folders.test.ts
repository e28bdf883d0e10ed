import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { configSchema } from '../../../src/app/kernel/config/schema.ts';
import { keptFolders } from '../../../src/app/maintenance/folders.ts';
import type { MachineFiles } from '../../../src/app/maintenance/services.ts';

const LOCAL = 0xef53;
const NFS = 0x6969;
const MEMORY = 0x01021994;
const CONTAINER = 0x794c7630;

async function reasons(number: number, settings: object, backupFolder = '/srv/data/backups') {
  const config = configSchema.parse({ ...settings });
  const machineFiles = { dataFolder: '/srv/data', backupFolder } as MachineFiles;
  const folders = await keptFolders({ config, machineFiles, hasOtherNodes: true }, () => Promise.resolve(number));
  return folders.map(({ reason }) => reason?.slice(0, 12));
}

describe('files that the database of several nodes does not have', () => {
  it.each([
    ['a disk of this node', LOCAL, {}, ['it is on thi', 'it is on thi']],
    ['a disk that somebody says all have', LOCAL, { SHARED_DATA: true }, [undefined, undefined]],
    ['a folder of the network', NFS, {}, [undefined, undefined]],
    ['memory', MEMORY, {}, ['it is in mem', 'it is in mem']],
    ['memory, whatever somebody says', MEMORY, { SHARED_DATA: true }, ['it is in mem', 'it is in mem']],
    ['the file system of a container', CONTAINER, { SHARED_DATA: true }, ['it is in mem', 'it is in mem']],
  ])('on %s', async (_where, number, settings, expected) => {
    expect(await reasons(number, settings)).toEqual(expected);
  });

  it('are none where there is one node', async () => {
    const config = configSchema.parse({});
    const machineFiles = { dataFolder: '/srv/data', backupFolder: '/srv/data/backups' } as MachineFiles;
    const folders = await keptFolders({ config, machineFiles, hasOtherNodes: false }, () => Promise.resolve(MEMORY));
    expect(folders).toEqual([]);
  });

  it('may be backups on a disk of their own', async () => {
    expect(await reasons(LOCAL, {}, '/var/backups/muster')).toEqual(['it is on thi', undefined]);
  });

  it.skipIf(!existsSync('/dev/shm'))('are told by what the kernel says, also of a folder to come', async () => {
    const config = configSchema.parse({ SHARED_DATA: true });
    const machineFiles = { dataFolder: '/dev/shm/to/come', backupFolder: '/dev/shm/to/come' } as MachineFiles;
    for (const { isPassing } of await keptFolders({ config, machineFiles, hasOtherNodes: true }))
      expect(isPassing).toBe(true);
  });
});
