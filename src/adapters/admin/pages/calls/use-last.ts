import { useState } from 'react';

/** What was answered last, as long as there is nothing newer; `undefined` before the first answer. */
export function useLast<Data>(data: Data | undefined): Data | undefined {
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  return data ?? last;
}
