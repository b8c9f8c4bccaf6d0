export type Item = Readonly<Record<string, unknown>>;

export type StoredItem = { readonly table: string; readonly item: Item };
