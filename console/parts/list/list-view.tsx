import type { LucideIcon } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { Button } from "../button.tsx";
import { Changes } from "../changes.tsx";
import { Empty, errorText, Failed, Skeleton } from "../state.tsx";
import { List, type ListProps, ListSkeleton } from "./list.tsx";

/** How far a list has been read. */
export type Reading = {
  readonly isPending: boolean;
  /** `null` or undefined where there is none. */
  readonly error: unknown;
  /** Whether the error is that older rows could not be read. */
  readonly isStuck: boolean;
  readonly retry: () => void;
  readonly hasMore: boolean;
  /** Reads on; while it does so already, nothing happens. */
  readonly onEnd: () => void;
};

/** The rows of a list as far as they were read. */
export type LoadedList<Row> = {
  readonly rows: readonly Row[];
  readonly reading: Reading;
  /** What changed since, in words; empty when nothing did. */
  readonly changes?: string;
  /** Shows what changed. */
  readonly refresh?: () => void;
  /** How much was looked through, where that is more than is shown; in words. */
  readonly lookedAt?: string | undefined;
  /** Whether so much was looked through that the reader decides whether it goes on. */
  readonly asksToGoOn?: boolean;
};

/** What a list says when everything was read and there is no row. */
export type Emptiness = {
  readonly title: string;
  readonly icon?: LucideIcon;
  readonly text?: ReactNode;
  /** What to do next. */
  readonly action?: ReactNode;
};

/** The emptiness of filters. @param hint  what to do, such as "Remove a filter." */
export const noMatch = (noun: string, hint: ReactNode = "Remove a filter."): Emptiness => ({
  title: `No ${noun} matches these filters`,
  text: hint,
});

type Listed<Row> = { readonly list: LoadedList<Row>; readonly empty: Emptiness };
type ListViewProps<Row> = Listed<Row> & Omit<ListProps<Row>, "rows" | "onEnd" | "hasMore">;

/** A list as a table, from its declaration, or what stands in its place while there is no row. */
export function ListView<Row>({ list, empty, ...look }: ListViewProps<Row>) {
  const { onEnd, hasMore } = list.reading;
  return (
    <ListFrame list={list} empty={empty} className="list-frame">
      <List {...look} rows={list.rows} onEnd={onEnd} hasMore={hasMore && !list.asksToGoOn} />
      {list.asksToGoOn && (
        <p>
          <Button onPress={onEnd}>Look through older ones</Button>
        </p>
      )}
    </ListFrame>
  );
}

type CardListViewProps<Row> = Listed<Row> & {
  readonly label: string;
  /** One row, with its key. */
  readonly row: (row: Row) => ReactNode;
};

/** The same for rows whose texts are of any length. */
export function CardListView<Row>({ list, empty, label, row }: CardListViewProps<Row>) {
  const { onEnd, hasMore } = list.reading;
  return (
    <ListFrame list={list} empty={empty} className="kept-frame">
      <ul className="kept-list" aria-label={label}>
        {list.rows.map(row)}
      </ul>
      {hasMore && <Button onPress={onEnd}>Show more</Button>}
    </ListFrame>
  );
}

type ListFrameProps = Listed<unknown> & { readonly className: string; readonly children: ReactNode };

function ListFrame({ list, empty, className, children }: ListFrameProps) {
  const { rows, reading, changes = "", refresh, lookedAt, asksToGoOn = false } = list;
  return (
    <div className={className}>
      {refresh && <Changes text={changes} onShow={refresh} />}
      {rows.length > 0 ? (
        <>
          {children}
          {reading.isStuck && <Stuck {...reading} />}
        </>
      ) : reading.isPending ? (
        <ListSkeleton />
      ) : reading.error ? (
        <Failed error={reading.error} retry={reading.retry} />
      ) : reading.hasMore ? (
        <ReadingOn {...reading} lookedAt={lookedAt} asksToGoOn={asksToGoOn} />
      ) : (
        <Nothing {...empty} lookedAt={lookedAt} />
      )}
    </div>
  );
}

type NothingProps = Emptiness & Pick<LoadedList<unknown>, "lookedAt">;

function Nothing({ title, icon: Icon, text, action, lookedAt }: NothingProps) {
  return (
    <Empty title={title} icon={Icon && <Icon size={28} aria-hidden />}>
      {text !== undefined && <p>{text}</p>}
      {lookedAt !== undefined && <p>{lookedAt}</p>}
      {action}
    </Empty>
  );
}

/** The rows that are there stay; the reader decides when the next ones are tried again. */
function Stuck({ error, retry }: Reading) {
  return (
    <p className="row small soft" role="alert">
      Older ones could not be read: {errorText(error)}
      <Button size="small" onPress={retry}>
        Try again
      </Button>
    </p>
  );
}

type ReadingOnProps = Reading & Pick<LoadedList<unknown>, "lookedAt" | "asksToGoOn">;

/** A page that the filters leave nothing of says nothing of the pages behind it, so they are read too. */
function ReadingOn({ onEnd, lookedAt, asksToGoOn }: ReadingOnProps) {
  useEffect(() => {
    if (!asksToGoOn) onEnd();
  });
  return (
    <div className="card card-body stack-tight">
      {lookedAt !== undefined && (
        <p className="soft" role="status">
          {lookedAt}
        </p>
      )}
      {asksToGoOn ? (
        <p>
          <Button onPress={onEnd}>Look through older ones</Button>
        </p>
      ) : (
        <>
          <p className="soft">Nothing among the newest so far. Older ones are being looked through.</p>
          <Skeleton lines={4} />
        </>
      )}
    </div>
  );
}
