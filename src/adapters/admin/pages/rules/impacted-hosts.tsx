import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Accordion, Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { Changes } from '../parts/changes.tsx';
import { PagesOf } from '../parts/pager.tsx';

/** Shows the hosts that rules would change, each with its changes; only the first if there are too many. */
export function ImpactedHosts({ impact }: { readonly impact: OfferedOutput<'rules/rules-impact'> }) {
  const { changed, details, target } = impact;
  const words = target === undefined ? IN_INVENTORY : IN_EXPORTS;
  const count = details.length;
  return (
    <>
      {details.length > 0 && (
        <PagesOf rows={details} label={t`hosts that change`} size={10}>
          {(shown) => (
            <Accordion variant="contained" chevronPosition="left" multiple>
              {shown.map(({ hostname, change, changes }) => (
                <Accordion.Item key={hostname} value={hostname}>
                  <Accordion.Control>
                    <Text size="sm" className="wrap-anywhere">
                      {hostname}
                      <Text span size="sm" c="dimmed">
                        {' '}
                        {words[change].one}
                        {change === 'changed' && `: ${changes.map(({ path }) => path).join(', ')}`}
                      </Text>
                    </Text>
                  </Accordion.Control>
                  <Accordion.Panel>
                    {change === 'changed' ? (
                      <Changes caption={t`Changes of ${hostname}`} changes={changes} />
                    ) : (
                      <Text size="sm">{words[change].whole}</Text>
                    )}
                  </Accordion.Panel>
                </Accordion.Item>
              ))}
            </Accordion>
          )}
        </PagesOf>
      )}
      {changed > details.length && (
        <Text size="sm" c="dimmed">
          <Trans>These are the first {count} of them.</Trans>
        </Text>
      )}
    </>
  );
}

/** Shown after the name of a host; and the words for one that appears or disappears. */
const CHANGED = { one: t({ message: 'changes', context: 'what something does' }), whole: '' };

const IN_INVENTORY = {
  changed: CHANGED,
  appears: { one: t`enters the inventory`, whole: t`The whole host enters the inventory.` },
  disappears: { one: t`leaves the inventory`, whole: t`The whole host leaves the inventory.` },
} as const;

const IN_EXPORTS = {
  changed: CHANGED,
  appears: { one: t`is exported too`, whole: t`The whole host is exported too.` },
  disappears: { one: t`is no longer exported`, whole: t`The whole host is no longer exported.` },
} as const;
