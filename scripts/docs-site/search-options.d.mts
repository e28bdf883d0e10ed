import type { Options } from 'minisearch';

export interface Section {
  readonly id: number;
  readonly page: string;
  readonly heading: string;
  readonly href: string;
  readonly text: string;
}

export const searchOptions: Options<Section>;
