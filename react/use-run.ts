import { useEffect, useRef, useState } from "react";
import type { RunAddress } from "../client/index.ts";
import { useGiven } from "./agent-platform.ts";
import { asError, notBegun, progressed, type RunFrame, type RunProgress } from "./run-progress.ts";

export type FollowedRun = {
  /** Where it is found, with its status; undefined before the first event. */
  readonly run: RunProgress["run"];
  readonly events: readonly RunFrame[];
  readonly text: string;
  /** Whether further events are waited for. */
  readonly connected: boolean;
  readonly error: Error | undefined;
};

type Seen = { readonly place: string; readonly events: RunFrame[]; progress: RunProgress };
const unseen = (place: string): Seen => ({ place, events: [], progress: notBegun });

/**
 * Follows a run from its first event. Mounted again it goes on behind the last event that it has; unmounting cancels nothing.
 *
 * @param address  such as `{ agent_id: "assistant", run_id, session_id }`; nothing is followed without one
 */
export function useRun(address: RunAddress | undefined): FollowedRun {
  const { client } = useGiven();
  const place = JSON.stringify(address ?? null);
  const seen = useRef(unseen(place));
  const [shown, setShown] = useState<Omit<FollowedRun, "connected" | "error">>({
    ...{ run: undefined, events: [], text: "" },
  });
  const [connection, setConnection] = useState<Pick<FollowedRun, "connected" | "error">>({
    ...{ connected: false, error: undefined },
  });
  // The place says which run it is
  useEffect(() => {
    if (seen.current.place !== place) seen.current = unseen(place);
    const mine = seen.current;
    const show = () => setShown({ ...mine.progress, events: [...mine.events] });
    show();
    if (!address) return undefined;
    const left = new AbortController();
    const { signal } = left;
    const follow = async () => {
      setConnection({ connected: true, error: undefined });
      const last = mine.events.at(-1)?.data.event_index;
      const from = typeof last === "number" ? { lastEventIndex: last } : {};
      for await (const event of client.runs.follow(address, { ...from, signal })) {
        if (signal.aborted) return;
        const frame = event as unknown as RunFrame;
        mine.events.push(frame);
        mine.progress = progressed(mine.progress, address, frame);
        show();
      }
    };
    follow().then(
      () => !signal.aborted && setConnection({ connected: false, error: undefined }),
      (thrown) => !signal.aborted && setConnection({ connected: false, error: asError(thrown) }),
    );
    return () => left.abort();
  }, [client, place]);
  return { ...shown, ...connection };
}
