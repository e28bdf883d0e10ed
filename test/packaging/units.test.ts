import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const service = read('packaging/systemd/muster.service');
const backup = read('packaging/systemd/muster-backup.service');

/** What a unit says of where it runs and what it may, in its order. */
function sandboxOf(unit: string): readonly string[] {
  const own =
    /^(Description|Type|ExecStart|Restart|RestartSec|KillMode|TimeoutStopSec|WantedBy|LimitNOFILE|MemoryMax|OOMPolicy)=/;
  return unit.split('\n').filter((line) => /^\w+=/.test(line) && !own.test(line));
}

describe('the unit of the service', () => {
  it('is bounded in memory, and outlives a playbook that is ended for it', () => {
    expect(service).toContain('\nMemoryMax=75%\nOOMPolicy=continue\n');
  });

  it('is stopped by itself: it ends playbooks that run when it has drained, and says so of their runs', () => {
    expect(service).toContain('\nKillMode=mixed\n');
  });
});

describe('the unit of the backup', () => {
  it('runs as the service does, and may no more', () => {
    expect(sandboxOf(backup)).toEqual(sandboxOf(service));
    expect(sandboxOf(service)).toContain('ProtectSystem=strict');
  });

  it('proves what it writes and keeps several of it, in the folder that the service shows', () => {
    expect(backup).toMatch(/^ExecStart=\S+\/muster storage keep-backup$/m);
    expect(backup).not.toMatch(/^Environment=.*BACKUP_/m);
    for (const unit of [service, backup]) expect(unit).toContain('\nReadWritePaths=-/var/backups/muster\n');
    expect(read('packaging/systemd/muster.tmpfiles')).toContain('d /var/backups/muster 0700 muster muster');
  });

  it('is the only one: the pages tell no other', () => {
    expect(read('docs/operations.md')).not.toMatch(/^ExecStart=.*muster (backup|storage keep-backup)/m);
  });
});
