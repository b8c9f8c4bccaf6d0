import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "wouter";
import { useKeptScroll } from "../../api/kept-places.ts";
import { Skeleton } from "../state.tsx";
import { ariaSort, SortButton } from "./sort-button.tsx";
import type { Sorting } from "./sorting.ts";
import { useWidth } from "./use-width.ts";
import { useWindow } from "./use-window.ts";

export type Column<Row> = {
  readonly id: string;
  readonly title: ReactNode;
  /** As in `grid-template-columns`. */
  readonly width: string;
  readonly end?: boolean;
  /** Left out in windows narrower than this many pixels. */
  readonly from?: number;
  /** Holds a checkbox or the like: the row's link begins in the column after it. */
  readonly isControl?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** What rows are sorted by when the reader presses the title; undefined for rows without a value. */
  readonly sortOf?: (row: Row) => number | string | undefined;
};

export type ListProps<Row> = {
  /** What the list is of, for those who do not see it. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
  /** Page that a row leads to. */
  readonly to?: (row: Row) => string;
  readonly isSelected?: (row: Row) => boolean;
  readonly rowHeight?: number;
  /** Called when the reader comes near the end. */
  readonly onEnd?: () => void;
  readonly hasMore?: boolean;
  readonly foot?: ReactNode;
  readonly sorting?: Sorting | undefined;
  /** Called with the order that follows, as in an address; without it no title can be pressed. */
  readonly onSort?: (sorting: string) => void;
};

/** Rows of which only those in view are in the document: a hundred thousand scroll as ten do. */
export function List<Row>(props: ListProps<Row>) {
  const {
    label,
    rows,
    keyOf,
    columns: all,
    to,
    isSelected,
    rowHeight = 48,
    onEnd,
    hasMore = false,
    foot,
    sorting,
    onSort,
  } = props;
  const width = useWidth();
  const columns = all.filter(({ from = 0 }) => width >= from);
  const scroll = useRef<HTMLDivElement>(null);
  const shown = useWindow(scroll, { count: rows.length, rowHeight, overscan: 8 });
  useKeptScroll(scroll, label, rows.length);
  const isNearEnd = shown.to >= rows.length - 20;
  useEffect(() => {
    if (isNearEnd && hasMore) onEnd?.();
  }, [isNearEnd, hasMore, onEnd]);
  const frame = {
    "--list-columns": columns.map(({ width }) => width).join(" "),
  } as React.CSSProperties;
  return (
    <div className="card list" style={frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must reach */}
      <div className="list-scroll" ref={scroll} tabIndex={0}>
        <div
          className="list-inner"
          role="table"
          aria-label={label}
          aria-rowcount={hasMore ? -1 : rows.length + 1}
        >
          <div className="list-head" role="row" aria-rowindex={1}>
            {columns.map((column) => (
              <ColumnTitle key={column.id} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </div>
          <div className="list-rows" role="rowgroup" style={{ height: rows.length * rowHeight }}>
            {rows.slice(shown.from, shown.to).map((row, inView) => (
              <ListRow
                key={keyOf(row)}
                row={row}
                columns={columns}
                to={to?.(row)}
                isSelected={isSelected?.(row)}
                index={shown.from + inView}
                height={rowHeight}
              />
            ))}
          </div>
        </div>
        {hasMore && (
          <div className="list-more">
            <Skeleton lines={2} />
          </div>
        )}
      </div>
      {foot !== undefined && <div className="list-foot">{foot}</div>}
    </div>
  );
}

type ColumnTitleProps = {
  readonly column: Pick<Column<never>, "id" | "title" | "end" | "sortOf">;
  readonly sorting: Sorting | undefined;
  readonly onSort: ((sorting: string) => void) | undefined;
};

function ColumnTitle({ column: { id, title, end, sortOf }, sorting, onSort }: ColumnTitleProps) {
  const className = end ? "list-cell list-cell-end" : "list-cell";
  if (!sortOf || !onSort) {
    return (
      <div role="columnheader" className={className}>
        {title}
      </div>
    );
  }
  return (
    <div role="columnheader" className={className} aria-sort={ariaSort(sorting, id)}>
      <SortButton by={id} sorting={sorting} onSort={onSort}>
        {title}
      </SortButton>
    </div>
  );
}

type ListRowProps<Row> = {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly to: string | undefined;
  readonly isSelected: boolean | undefined;
  /** Place in the whole list. */
  readonly index: number;
  readonly height: number;
};

/** One row at its place. Its first cell that is no control leads to its page. */
function ListRow<Row>({ row, columns, to, isSelected, index, height }: ListRowProps<Row>) {
  const linked = columns.findIndex(({ isControl }) => !isControl);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={to === undefined ? "list-row" : "list-row list-row-link"}
      style={{ height, transform: `translateY(${index * height}px)` }}
    >
      {columns.map(({ id, end, cell }, at) => (
        <div key={id} role="cell" className={end ? "list-cell list-cell-end" : "list-cell"}>
          {to !== undefined && at === linked ? (
            <Link href={to} className="list-link">
              {cell(row)}
            </Link>
          ) : (
            cell(row)
          )}
        </div>
      ))}
    </div>
  );
}

/** The frame of a list whose rows are being read. */
export function ListSkeleton() {
  return (
    <div className="card card-body">
      <Skeleton lines={8} />
    </div>
  );
}
