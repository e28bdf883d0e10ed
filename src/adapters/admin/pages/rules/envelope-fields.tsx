import { t } from '@lingui/core/macro';
import { Group, SimpleGrid } from '@mantine/core';
import { MemberLabel } from '../forms/member-label.tsx';
import { FlagField, NumberField, ParagraphField, TextField } from '../forms/text-fields.tsx';
import { isSwitched, type RuleTypeInfo } from './rule-type.ts';

/** The members that rules of every type have. */
export function EnvelopeFields({ type }: { readonly type: RuleTypeInfo }) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
        <TextField
          path={[type.keyed_by]}
          label={type.keyed_by === 'name' ? t`Name` : <MemberLabel title={t`Name`} name="hostname" />}
          required
        />
        <NumberField
          path={['sort_field']}
          label={<MemberLabel title={t`Position`} name="sort_field" />}
          placeholder="0"
        />
      </SimpleGrid>
      <Group gap="lg">
        {isSwitched(type) && <FlagField path={['enabled']} label={t`Enabled`} />}
        {type.conditional && <FlagField path={['last_match']} label={t`Last match: after a hit, no later rule runs`} />}
      </Group>
      <ParagraphField path={['documentation']} label={t`Documentation`} />
    </>
  );
}
