import { t } from '@lingui/core/macro';
import { Answer } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { useRuleTypes } from './rule-type.ts';
import { TypesTable } from './types-table.tsx';

/** Documents that other systems have an effect for, and this one none. */
export function KeptPage() {
  return (
    <Page
      title={t`Kept for other systems`}
      above={[{ to: '/rules', label: t`Rules` }]}
      description={t`Documents of these types have no effect here. They are stored unchanged, and exports contain them.`}
    >
      <Answer of={useRuleTypes()}>
        {({ types }) => (
          <TypesTable
            caption={t`Kept for other systems`}
            types={types.filter(({ kept }) => kept !== null).toSorted((a, b) => b.rules - a.rules)}
          />
        )}
      </Answer>
    </Page>
  );
}
