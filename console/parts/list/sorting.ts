/** By which column a list is sorted, and how. */
export type Sorting = { readonly by: string; readonly isUp: boolean };

/** As an address has it: `cost` for the largest first, `cost.up` for the smallest. */
export const sortingOf = (text: string): Sorting | undefined =>
  text === "" ? undefined : { by: text.replace(/\.up$/, ""), isUp: text.endsWith(".up") };

/** What a press on a column's title makes of it: the largest first, then the smallest, then no order of its own. */
export function nextSorting(sorting: Sorting | undefined, by: string): string {
  if (sorting?.by !== by) return by;
  return sorting.isUp ? "" : `${by}.up`;
}

type Sortable<Row> = { readonly id: string; readonly sortOf?: (row: Row) => number | string | undefined };

/** Rows in an order; those without a value are last in both. The same array where there is none. */
export function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Sortable<Row>[],
  sorting: Sorting | undefined,
): readonly Row[] {
  const sortOf = columns.find(({ id }) => id === sorting?.by)?.sortOf;
  if (!sorting || !sortOf) return rows;
  const sign = sorting.isUp ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [x, y] = [sortOf(a), sortOf(b)];
    if (x === y) return 0;
    if (x === undefined) return 1;
    if (y === undefined) return -1;
    return x < y ? -sign : sign;
  });
}
