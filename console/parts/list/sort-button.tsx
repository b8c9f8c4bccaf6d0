import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { nextSorting, type Sorting } from "./sorting.ts";

type SortButtonProps = {
  /** The column. */
  readonly by: string;
  readonly sorting: Sorting | undefined;
  /** Called with the order that follows, as in an address. */
  readonly onSort: (sorting: string) => void;
  readonly children: ReactNode;
};

/** The title of a column, which sorts by it when it is pressed. */
export function SortButton({ by, sorting, onSort, children }: SortButtonProps) {
  const Arrow = sorting?.isUp ? ArrowUp : ArrowDown;
  return (
    <button type="button" className="list-sort" onClick={() => onSort(nextSorting(sorting, by))}>
      {children}
      {sorting?.by === by && <Arrow size={12} aria-hidden />}
    </button>
  );
}

/** For the cell that holds it. */
export function ariaSort(sorting: Sorting | undefined, by: string): "none" | "ascending" | "descending" {
  if (sorting?.by !== by) return "none";
  return sorting.isUp ? "ascending" : "descending";
}
