import type { FilterLogEventsCommandInput } from "@aws-sdk/client-cloudwatch-logs";
import * as v from "valibot";

/** Log group by function name: JSON text. */
export const LogGroups = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()));
export type LogGroups = v.InferOutput<typeof LogGroups>;

/** One event of a log group. */
export type LogEvent = { readonly id: string; readonly at_ms: number; readonly text: string };

export type LogSearch = {
  readonly logGroup: string;
  /** As CloudWatch Logs has it. */
  readonly pattern: string;
  /** Inclusive bounds, epoch milliseconds. */
  readonly from_ms: number;
  readonly until_ms: number;
  readonly signal: AbortSignal;
};

/**
 * All events of a log group that match, or `too_many`.
 *
 * @throws when the signal aborts, or CloudWatch Logs fails
 */
export type SearchLogs = (search: LogSearch) => Promise<readonly LogEvent[] | "too_many">;

/** A run has tens of lines; whoever has more than this is better served by the console of CloudWatch. */
const MOST_EVENTS = 10_000;

/** Searches CloudWatch Logs. The client is large and seldom needed, so it is loaded with the first search. */
export function searchLogs(): SearchLogs {
  let connected: ReturnType<typeof connect> | undefined;
  return async ({ logGroup, pattern, from_ms, until_ms, signal }) => {
    connected ??= connect();
    const send = await connected;
    const events: LogEvent[] = [];
    let nextToken: string | undefined;
    // A page may be empty although more follow: it ends where the service has looked far enough.
    do {
      const page = await send(
        {
          logGroupName: logGroup,
          filterPattern: pattern,
          startTime: from_ms,
          endTime: until_ms + 1,
          ...(nextToken !== undefined && { nextToken }),
        },
        signal,
      );
      for (const { eventId = "", timestamp = 0, message = "" } of page.events ?? [])
        events.push({ id: eventId, at_ms: timestamp, text: message });
      nextToken = page.nextToken;
      if (events.length > MOST_EVENTS) return "too_many";
    } while (nextToken !== undefined);
    return events;
  };
}

async function connect() {
  const { CloudWatchLogsClient, FilterLogEventsCommand } = await import("@aws-sdk/client-cloudwatch-logs");
  const client = new CloudWatchLogsClient({});
  return (input: FilterLogEventsCommandInput, abortSignal: AbortSignal) =>
    client.send(new FilterLogEventsCommand(input), { abortSignal });
}
