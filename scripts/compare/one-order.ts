import { sortedMembers } from "./sorted-members.ts";

type Event = Readonly<Record<string, unknown>>;

/** The first and the last event of work that runs in parallel. */
const parallelWork: ReadonlyMap<unknown, string> = new Map([
  ["ParallelExecutionStarted", "ParallelExecutionCompleted"],
  ["TeamToolCallStarted", "TeamToolCallCompleted"],
]);

/**
 * Sorts what parallel work produced in any order. Events of steps and members are sorted by their step or member, and
 * their indices are renumbered in the new order; spans are sorted by their contents.
 *
 * @param masked  removes from a value what changes from one execution to the next
 */
export function inOneOrder(value: unknown, masked: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    const entries = value.map((entry) => inOneOrder(entry, masked));
    if (entries.length > 1 && entries.every(isEvent)) return orderedEvents(entries);
    if (entries.length > 1 && entries.every(isSpan)) return orderedSpans(entries, masked);
    return entries;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, inOneOrder(entry, masked)]));
}

/** A frame of a stream has its event in `data`; a stored event is the event itself. */
const bodyOf = (event: Event): Event => (isRecord(event.data) ? event.data : event);
const isEvent = (value: unknown): value is Event => isRecord(value) && typeof value.event === "string";
const isSpan = (value: unknown): value is Event =>
  isRecord(value) && "name" in value && ("start_ms" in value || "start_time" in value);
const isRecord = (value: unknown): value is Event =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function orderedEvents(events: readonly Event[]): Event[] {
  const ordered: Event[] = [];
  for (let at = 0; at < events.length; ) {
    const end = endOf(events, at);
    const within = events
      .slice(at + 1, end)
      .map((event, i) => ({ event, i, source: sourceOf(bodyOf(event)) }));
    const sorted = within.toSorted((a, b) =>
      a.source === b.source ? a.i - b.i : a.source < b.source ? -1 : 1,
    );
    ordered.push(...events.slice(at, at + 1), ...renumbered(sorted.map(({ event }) => event)));
    at = Math.max(end, at + 1);
  }
  return ordered;
}

/** Index of the event that ends the parallel work; `at` itself if the event begins none, or if the end is missing. */
function endOf(events: readonly Event[], at: number): number {
  const opening = events[at];
  const closing = opening && parallelWork.get(opening.event);
  if (!opening || closing === undefined) return at;
  const { run_id } = bodyOf(opening);
  const end = events.findIndex((one, i) => i > at && one.event === closing && bodyOf(one).run_id === run_id);
  return end < 0 ? at : end;
}

const sourceOf = ({ step_name, agent_id, team_id }: Event): string =>
  String(step_name ?? agent_id ?? team_id);

function renumbered(events: readonly Event[]): Event[] {
  const indices = events.map((event) => Number(bodyOf(event).event_index)).toSorted((a, b) => a - b);
  return events.map((event, i) => {
    const body = bodyOf(event);
    if (!("event_index" in body)) return event;
    const changed = { ...body, event_index: indices[i] };
    return body === event ? changed : { ...event, data: changed };
  });
}

function orderedSpans(spans: readonly Event[], masked: (value: unknown) => unknown): Event[] {
  const keyed = spans.map((span) => [JSON.stringify(sortedMembers(masked(span))), span] as const);
  return keyed.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, span]) => span);
}
