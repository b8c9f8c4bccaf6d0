import { randomUUID } from "node:crypto";
import { appendFile } from "node:fs/promises";
import type { JsonAnswer } from "../aws/json-answer.ts";
import type { AwsRequest } from "../iam/required-permissions.ts";
import { type BusEntry, entriesIn } from "./bus-entries.ts";

/** An event that a bus took. */
export type BusEvent = {
  readonly id: string;
  readonly bus: string;
  readonly source: string;
  readonly detail_type: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

export type EventBuses = {
  /** Answers one request of an EventBridge client. */
  readonly answer: (request: AwsRequest) => Promise<JsonAnswer>;
  /** The last events, in the order in which they came. */
  readonly events: () => readonly BusEvent[];
};

/** @source EventBridge user guide, "PutEvents": entries of one call, and their size altogether */
const MAX_ENTRIES = 10;
const MAX_BYTES = 262_144;
const KEPT = 1_000;
const SHOWN_CHARS = 240;

/**
 * EventBridge in this process: any bus, without rules. Each event is one line in a file and on the console.
 *
 * @param file  gets one JSON object a line
 * @param show  takes lines that the user should see
 */
export function openEventBuses(file: string, show: (line: string) => void): EventBuses {
  const kept: BusEvent[] = [];
  const take = async (entry: BusEntry): Promise<object> => {
    const detail = objectIn(String(entry.Detail));
    if (!detail) return { ErrorCode: "MalformedDetail", ErrorMessage: "Detail is malformed." };
    if (!entry.Source || !entry.DetailType)
      return { ErrorCode: "InvalidArgument", ErrorMessage: "Source and DetailType are needed." };
    const event: BusEvent = {
      id: randomUUID(),
      bus: String(entry.EventBusName ?? "default"),
      source: String(entry.Source),
      detail_type: String(entry.DetailType),
      detail,
    };
    kept.push(event);
    if (kept.length > KEPT) kept.shift();
    await appendFile(file, `${JSON.stringify(event)}\n`);
    show(
      `[event bus ${event.bus}] ${event.detail_type} ${JSON.stringify(detail.data).slice(0, SHOWN_CHARS)}`,
    );
    return { EventId: event.id };
  };
  return {
    answer: async ({ body }) => {
      const entries = entriesIn(body);
      if (entries.length === 0 || entries.length > MAX_ENTRIES || sizeOf(entries) > MAX_BYTES)
        return refusal("Total size of the entries in the request is over the limit.");
      const Entries: object[] = [];
      for (const entry of entries) Entries.push(await take(entry));
      const FailedEntryCount = Entries.filter((one) => "ErrorCode" in one).length;
      return { status: 200, body: { Entries, FailedEntryCount } };
    },
    events: () => kept,
  };
}

const TIME_BYTES = 14;

/** As the service counts it. */
const sizeOf = (entries: readonly BusEntry[]): number =>
  entries.reduce(
    (sum, { Source, DetailType, Detail }) =>
      sum + TIME_BYTES + Buffer.byteLength(`${Source ?? ""}${DetailType ?? ""}${Detail ?? ""}`),
    0,
  );

const refusal = (message: string): JsonAnswer => ({
  status: 400,
  type: "ValidationException",
  body: { __type: "ValidationException", message },
});

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value))
      : undefined;
  } catch {
    return undefined;
  }
}
