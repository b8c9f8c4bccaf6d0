import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { Operations } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { queryClient } from "../../api/query-client.ts";

type Line = Operations["getRunLog"]["answer"]["data"][number];
/** `key` distinguishes lines of the same text. */
export type LogLine = Line & { readonly key: string };
export type Log = {
  readonly lines: readonly LogLine[];
  /** Whether there are further lines that were not read. */
  readonly isCut: boolean;
};

const PAGE = 500;
const MOST_PAGES = 10;
const LIVE_MS = 3_000;
/** Lines appear some seconds after they were written, also those of a run that has ended. */
const LATE_SECONDS = 30;
const READS_AFTER_END = 4;

/** The log of a run, the oldest line first; what was added is asked for while the run goes on, and a little longer. */
export function useRunLog(run_id: string, isLive: boolean) {
  const readsAtEnd = useRef<number>(undefined);
  return useQuery({
    queryKey: keyOf(run_id),
    queryFn: ({ signal }) => readLog(run_id, signal),
    refetchInterval: ({ state: { dataUpdateCount: reads } }) => {
      if (isLive) {
        readsAtEnd.current = undefined;
        return LIVE_MS;
      }
      readsAtEnd.current ??= reads;
      return reads - readsAtEnd.current < READS_AFTER_END ? LIVE_MS : false;
    },
    refetchOnWindowFocus: false,
  });
}

const keyOf = (run_id: string) => ["run-log", run_id] as const;

async function readLog(run_id: string, signal: AbortSignal): Promise<Log> {
  const known = queryClient.getQueryData<Log>(keyOf(run_id));
  if (known?.isCut) return known;
  const last = known?.lines.at(-1);
  const after = last && Math.floor(Date.parse(last.time) / 1000) - LATE_SECONDS;
  const found: Line[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = {
      limit: PAGE,
      ...(after !== undefined && { after }),
      ...(cursor !== null && { cursor }),
    };
    const { data, meta } = await platform.getRunLog({ path: { run_id }, query }, { signal });
    found.push(...data);
    cursor = meta.next_cursor;
    if (cursor === null) break;
  }
  const added = keyed(found);
  const keys = new Set(added.map(({ key }) => key));
  const lines = [...(known?.lines ?? []).filter(({ key }) => !keys.has(key)), ...added];
  lines.sort((a, b) => a.time.localeCompare(b.time));
  return { lines, isCut: cursor !== null };
}

/** Lines may be equal to the letter: they are counted. */
function keyed(lines: readonly Line[]): LogLine[] {
  const seen = new Map<string, number>();
  return lines.map((line) => {
    const text = JSON.stringify(line);
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    return { ...line, key: `${count} ${text}` };
  });
}
