import { useState } from 'react';

/** Returns the last answer until there is a newer one; `undefined` before the first answer. */
export function useLast<Data>(data: Data | undefined): Data | undefined {
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  return data ?? last;
}
