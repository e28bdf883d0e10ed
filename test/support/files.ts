import { localFiles } from '../../src/adapters/files/local-files.ts';
import { processIdentity } from '../../src/adapters/process-identity.ts';
import type { FileAccess, SourceFiles, TargetFiles } from '../../src/ports/index.ts';

/** Files as an account of the operator reaches them: everywhere, for tests that are about something else. */
const access: FileAccess = localFiles({
  workingDirectory: process.cwd(),
  process: processIdentity(),
  absoluteFolders: [],
  sourceFolders: [],
  targetFolders: [],
  dataFolder: '/nonexistent/data',
  openInData: [],
  configurationFolders: [],
  programs: [],
  secretFiles: [],
});

export const sourceFiles: SourceFiles = access.sources({ anywhere: true, advice: 'ask the operator' });
export const targetFiles: TargetFiles = access.targets({ anywhere: true, advice: 'ask the operator' });
