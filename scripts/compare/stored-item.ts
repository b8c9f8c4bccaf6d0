export type Item = Readonly<Record<string, unknown>>;

export type StoredItem = { readonly table: string; readonly item: Item };

/** What an item or an object is selected by. */
export type StoredText = {
  readonly key: string;
  /** Of an item all attributes, without packed bytes. */
  readonly text: string;
};
export type IsWanted = (stored: StoredText) => boolean;
