import { t } from '@lingui/core/macro';
import { Table } from '@mantine/core';
import { reachText } from './reach-words.ts';

interface UserFactsProps {
  readonly caption: string;
  readonly roles: readonly string[];
  readonly admin: boolean;
  /** `null`: all. */
  readonly accounts: readonly string[] | null;
  /** `null`: hosts of any template and of none. */
  readonly templates: readonly string[] | null;
  readonly readOnly: boolean;
}

/** Shows the rights of a user, read-only. */
export function UserFacts({ caption, roles, admin, accounts, templates, readOnly }: UserFactsProps) {
  return (
    <Table variant="vertical" layout="fixed" aria-label={caption}>
      <Table.Tbody>
        <Row name={t`Roles`} value={roles.join(', ') || t`none`} />
        <Row name={t`Administrator`} value={admin ? t`yes` : t`no`} />
        <Row name={t`Accounts`} value={reachText(accounts)} />
        {templates !== null && <Row name={t`Templates`} value={reachText(templates)} />}
        <Row name={t`May`} value={readOnly ? t`read only` : t`read and change`} />
      </Table.Tbody>
    </Table>
  );
}

function Row({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" w={160}>
        {name}
      </Table.Th>
      <Table.Td className="wrap-anywhere">{value}</Table.Td>
    </Table.Tr>
  );
}
