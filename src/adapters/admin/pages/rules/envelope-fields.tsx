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
          label={type.keyed_by === 'name' ? 'Name' : <MemberLabel title="Name" name="hostname" />}
          required
        />
        <NumberField path={['sort_field']} label={<MemberLabel title="Position" name="sort_field" />} placeholder="0" />
      </SimpleGrid>
      <Group gap="lg">
        {isSwitched(type) && <FlagField path={['enabled']} label="Enabled" />}
        {type.conditional && <FlagField path={['last_match']} label="Last match: after a hit, no later rule runs" />}
      </Group>
      <ParagraphField path={['documentation']} label="Documentation" />
    </>
  );
}
