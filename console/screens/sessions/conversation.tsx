import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowUp } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { Button } from "../../parts/button.tsx";
import { Empty, Failed, Skeleton } from "../../parts/state.tsx";
import { Turn } from "./turn.tsx";
import { useSessionRuns } from "./use-session-runs.ts";

/** A guess, until a turn has been measured. */
const TURN_PX = 180;

/** A session read like a chat, from its end. Only the turns in view are in the document. */
export function SessionConversation({ session, name }: { readonly session: string; readonly name: string }) {
  const { query, runs } = useSessionRuns(session);
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: runs.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => TURN_PX,
    overscan: 4,
    gap: 24,
    getItemKey: (at) => runs[at]?.run_id ?? at,
  });
  const isRead = runs.length > 0;
  // A chat is read from its end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the runs are there
  useLayoutEffect(() => {
    if (isRead) virtual.scrollToIndex(runs.length - 1, { align: "end" });
  }, [isRead]);
  if (query.isPending) return <Skeleton lines={8} />;
  if (query.error && !isRead) return <Failed error={query.error} retry={() => query.refetch()} />;
  if (!isRead) return <Empty title="Nothing has been said yet" />;
  return (
    <>
      {query.hasNextPage && (
        <div className="turn-earlier">
          <Button
            size="small"
            icon={<ArrowUp size={13} aria-hidden />}
            isDisabled={query.isFetchingNextPage}
            onPress={() => query.fetchNextPage()}
          >
            Show earlier runs
          </Button>
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must reach */}
      <section className="turns" ref={scroll} tabIndex={0} aria-label="Conversation">
        <div className="turns-inner" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const run = runs[index];
            if (!run) return null;
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className="turn-place"
                style={{ transform: `translateY(${start}px)` }}
              >
                <Turn run={run} session={session} name={name} />
              </div>
            );
          })}
        </div>
      </section>
    </>
  );
}
