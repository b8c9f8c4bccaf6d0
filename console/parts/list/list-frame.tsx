import { type ReactNode, useEffect } from "react";
import { Button } from "../button.tsx";
import { Changes } from "../changes.tsx";
import { errorText, Failed, Skeleton } from "../state.tsx";
import { ListSkeleton } from "./list.tsx";

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

type ListFrameProps = {
  readonly reading: Reading;
  /** Rows that are there to be shown. */
  readonly count: number;
  /** Stands here when everything was read and there is no row. */
  readonly empty: ReactNode;
  /** What changed since the list was read, in words; and how to show it. */
  readonly changes?: string;
  readonly onShowChanges?: () => void;
  readonly className?: string;
  /** The list. */
  readonly children: ReactNode;
};

/** A list, or what stands in its place while it is read, when it cannot be read, and when nothing is in it. */
export function ListFrame(props: ListFrameProps) {
  const { reading, count, empty, changes = "", onShowChanges, className = "list-frame", children } = props;
  return (
    <div className={className}>
      {onShowChanges && <Changes text={changes} onShow={onShowChanges} />}
      {count > 0 ? (
        <>
          {children}
          {reading.isStuck && <Stuck {...reading} />}
        </>
      ) : reading.isPending ? (
        <ListSkeleton />
      ) : reading.error ? (
        <Failed error={reading.error} retry={reading.retry} />
      ) : reading.hasMore ? (
        <ReadingOn {...reading} />
      ) : (
        empty
      )}
    </div>
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

/** A page that the filters leave nothing of says nothing of the pages behind it, so they are read too. */
function ReadingOn({ onEnd }: Reading) {
  useEffect(onEnd);
  return (
    <div className="card card-body stack-tight">
      <p className="soft">Nothing among the newest so far. Older ones are being looked through.</p>
      <Skeleton lines={4} />
    </div>
  );
}
