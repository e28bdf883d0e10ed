import { t } from '@lingui/core/macro';
import { Select, Text } from '@mantine/core';
import { useAccountFiles } from '../use-account-files.ts';

interface FileThereProps {
  readonly end: string;
  /** The path that the account names by now. */
  readonly path: string;
  readonly onPath: (path: string) => void;
}

/** Selects a file that is already on the service's machine, and names the folders for such files. */
export function FileThere({ end, path, onPath }: FileThereProps) {
  const known = useAccountFiles();
  if (known === undefined) return null;
  const folders = known.sources.map((folder) => folder.path).join(', ');
  const groups = known.sources.map(({ path: group, files }) => ({ group, items: endsFirst(files, end) }));
  const hasFiles = groups.some(({ items }) => items.length > 0);
  return (
    <>
      {hasFiles && (
        <Select
          label={t`A file that is there`}
          placeholder={t`Choose a file`}
          data={groups.filter(({ items }) => items.length > 0)}
          value={groups.some(({ items }) => items.includes(path)) ? path : null}
          onChange={(chosen) => chosen !== null && onPath(chosen)}
          limit={200}
          searchable
        />
      )}
      <Text size="xs" c="dimmed" className="wrap-anywhere">
        {folders === ''
          ? t`No folder is open to sources; the setting FILE_SOURCE_DIRS names them.`
          : t`Files of the service are read from ${folders} (setting FILE_SOURCE_DIRS).`}
      </Text>
    </>
  );
}

function endsFirst(files: readonly string[], end: string): string[] {
  const isFit = (file: string): boolean => file.toLowerCase().endsWith(`.${end}`);
  return [...files.filter(isFit), ...files.filter((file) => !isFit(file))];
}
