import { useCallback, useMemo, useRef, useState } from "react";

/**
 * Holds back rows that were added at the head of a list since it was first shown, so that it does not move under its
 * reader. Rows that changed, went, or were added at its end are as they are now.
 *
 * @param scope  of the list, such as its filters; with another one it is a new list
 * @returns      the rows to show, how many are held back, and how to show them too
 */
export function useFresh<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  scope: string,
): { readonly shown: readonly Row[]; readonly fresh: number; readonly showNew: () => void } {
  const seen = useRef<{ scope: string; keys: Set<string> }>({ scope: "", keys: new Set() });
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after `showNew` all rows are known
  const held = useMemo(() => {
    if (seen.current.scope !== scope || seen.current.keys.size === 0) {
      seen.current = { scope, keys: new Set(rows.map(keyOf)) };
    }
    const { keys } = seen.current;
    const first = rows.findIndex((row) => keys.has(keyOf(row)));
    // Behind the first known row stand older ones: another page of the list.
    for (const row of rows.slice(Math.max(first, 0))) keys.add(keyOf(row));
    return Math.max(first, 0);
  }, [rows, keyOf, scope, turn]);
  const showNew = useCallback(() => {
    seen.current = { scope: "", keys: new Set() };
    setTurn((before) => before + 1);
  }, []);
  return { shown: useMemo(() => rows.slice(held), [rows, held]), fresh: held, showNew };
}
