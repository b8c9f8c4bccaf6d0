import { useRef } from "react";

type PageOf<Row> = { readonly data: readonly Row[] };

/** The rows of a list's pages, each once, with their places. */
export type GrowingRows<Row> = {
  readonly rows: readonly Row[];
  /** The place of a row; undefined where it is on no page. */
  readonly placeOf: (id: string) => number | undefined;
};

type Known<Row> = GrowingRows<Row> & {
  readonly pages: readonly PageOf<Row>[];
  readonly places: Map<string, number>;
};

/**
 * The rows of all pages. A page that is added costs as much as it holds: reading all of a hundred thousand rows again for
 * each would take longer than showing them.
 *
 * @param idOf  a row that came meanwhile moves others to the next page, so they are on both: the later one is shown, where
 *              the earlier one was
 */
export function useGrowingRows<Row>(
  pages: readonly PageOf<Row>[] | undefined,
  idOf: (row: Row) => string,
): GrowingRows<Row> {
  const known = useRef<Known<Row>>(undefined);
  const before = known.current;
  if (before && before.pages === pages) return before;
  const all = pages ?? [];
  const isLonger = before !== undefined && startsWith(all, before.pages);
  const places = isLonger ? before.places : new Map<string, number>();
  const rows = isLonger ? [...before.rows] : [];
  for (const { data } of isLonger ? all.slice(before.pages.length) : all) {
    for (const row of data) {
      const id = idOf(row);
      const place = places.get(id) ?? rows.length;
      places.set(id, place);
      rows[place] = row;
    }
  }
  known.current = { pages: all, rows, places, placeOf: (id) => places.get(id) };
  return known.current;
}

function startsWith(pages: readonly unknown[], first: readonly unknown[]): boolean {
  const last = first.length - 1;
  // Whoever reads the first again reads the others again too.
  return pages.length >= first.length && pages[0] === first[0] && pages[last] === first[last];
}
