export type SortValue = string | number | null;

/** Sorts rows by a value of theirs. Nulls stay together after everything else; ties go by id. */
export function sortedRows<Row>(
  rows: readonly Row[],
  sortValueOf: (row: Row) => SortValue,
  idOf: (row: Row) => string,
  order: "asc" | "desc",
): Row[] {
  const sign = order === "asc" ? 1 : -1;
  const keyed = rows.map((row) => ({ row, value: sortValueOf(row) }));
  return keyed
    .sort((a, b) => {
      if (a.value === b.value) return idOf(a.row) < idOf(b.row) ? -1 : 1;
      if (a.value === null) return 1;
      if (b.value === null) return -1;
      return a.value < b.value ? -sign : sign;
    })
    .map(({ row }) => row);
}
