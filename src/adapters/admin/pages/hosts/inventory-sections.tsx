import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Accordion, Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Command } from '../parts/value.tsx';
import type { Host } from './host.ts';
import { PanelTitle } from './panel-title.tsx';
import { SectionForm } from './section-form.tsx';
import { ValueTree } from './value-tree.tsx';

interface InventorySectionsProps {
  readonly host: Host;
  readonly mayEdit: boolean;
}

/** Shows the inventory sections of a host, each opened on request. */
export function InventorySections({ host, mayEdit }: InventorySectionsProps) {
  /** The key of the section that is written; empty for a new one. */
  const [edited, setEdited] = useState<string>();
  const sections = Object.entries(host.inventory);
  return (
    <section aria-label={t`Inventory sections`}>
      <PanelTitle title={t`Inventory sections`} count={sections.length}>
        {mayEdit && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setEdited('')}
          >
            <Trans>Write a section</Trans>
          </Button>
        )}
      </PanelTitle>
      {sections.length === 0 && (
        <Text c="dimmed" size="sm">
          <Trans>
            No inventory. Other systems write sections with{' '}
            <Command>POST /api/v1/objects/&lt;hostname&gt;/inventory</Command>.
          </Trans>
        </Text>
      )}
      <Accordion multiple keepMounted={false} variant="contained" mt="xs">
        {sections.map(([key, section]) => (
          <Accordion.Item key={key} value={key}>
            <Accordion.Control>
              <Text span className="wrap-anywhere">
                {key}
              </Text>{' '}
              <Text span size="sm" c="dimmed">
                {memberCount(section)}
              </Text>
            </Accordion.Control>
            <Accordion.Panel>
              <ValueTree value={section} label={t`Section ${key}`} />
              {mayEdit && (
                <Button size="xs" variant="default" mt="sm" onClick={() => setEdited(key)}>
                  <Trans>Edit this section</Trans>
                </Button>
              )}
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      {edited !== undefined && <SectionForm host={host} sectionKey={edited} onEnd={() => setEdited(undefined)} />}
    </section>
  );
}

function memberCount(section: object): string {
  const count = Object.keys(section).length;
  return plural(count, { one: '# member', other: '# members' });
}
