import { useEffect, useMemo, useState } from "react";
import { keepPlace, keptPlace } from "../../api/kept-places.ts";
import { Checkbox } from "../form/fields.tsx";
import type { Column } from "./list.tsx";

const none: ReadonlySet<string> = new Set();

/** Rows of a list that its reader has selected. */
export type Chosen<Row> = {
  readonly rows: readonly Row[];
  readonly has: (row: Row) => boolean;
  readonly choose: (row: Row, isChosen: boolean) => void;
  readonly clear: () => void;
  /** A column of checkboxes. @param labelOf  what a row is called */
  readonly column: (labelOf: (row: Row) => string) => Column<Row>;
};

/** @param idOf  the same function at every call */
export function useChosen<Row>(rows: readonly Row[], idOf: (row: Row) => string): Chosen<Row> {
  const [ids, setIds] = useState(() => keptPlace<ReadonlySet<string>>("chosen") ?? none);
  useEffect(() => keepPlace("chosen", ids), [ids]);
  return useMemo(() => {
    const chosen = rows.filter((row) => ids.has(idOf(row)));
    const has = (row: Row): boolean => ids.has(idOf(row));
    const choose = (row: Row, is: boolean): void =>
      setIds((before) => new Set(is ? [...before, idOf(row)] : [...before].filter((id) => id !== idOf(row))));
    const column = (labelOf: (row: Row) => string): Column<Row> => ({
      id: "choose",
      width: "16px",
      isControl: true,
      title: (
        <Checkbox
          aria-label="Select all that are shown"
          isSelected={rows.length > 0 && chosen.length === rows.length}
          isIndeterminate={chosen.length > 0 && chosen.length < rows.length}
          onChange={(is) => setIds(is ? new Set(rows.map(idOf)) : none)}
        />
      ),
      cell: (row) => (
        <Checkbox
          aria-label={`Select ${labelOf(row)}`}
          isSelected={has(row)}
          onChange={(is) => choose(row, is)}
        />
      ),
    });
    return { rows: chosen, has, choose, clear: () => setIds(none), column };
  }, [rows, ids, idOf]);
}
