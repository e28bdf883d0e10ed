import { t } from '@lingui/core/macro';
import { Alert, List } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useAnswer } from '../calls/use-call.ts';
import { numberText } from '../language/numbers.ts';

const route = getRouteApi('/inventory/$provider');

/** Shows the names of an inventory that consumers do not get or cannot use unchanged; nothing if there are none. */
export function InventoryNames() {
  const { provider } = route.useParams();
  const { data } = useAnswer('inventory/check-names', { provider }, { freshSeconds: 300 });
  if (data === undefined || data.total === 0) return null;
  return (
    <Alert color="yellow" title={titleText(data.total)} maw={900} mah={240} style={{ overflow: 'auto' }}>
      <List size="sm">
        {data.names.map(({ name, reason }) => (
          <List.Item key={name} className="wrap-anywhere">
            {name}: {reason}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

const titleText = (count: number): string =>
  t`Names that consumers do not get, or cannot take as they are: ${{ count: numberText(count) }}`;
