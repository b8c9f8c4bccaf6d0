import { open } from "node:fs/promises";
import type { JsonAnswer } from "../aws/json-answer.ts";
import type { AwsRequest } from "../iam/required-permissions.ts";
import { isMissing } from "../machine/is-missing.ts";
import type { FunctionModel } from "../template/functions.ts";
import { type Matches, parsePattern } from "./filter-pattern.ts";

export type Logs = {
  /** Answers one request of a CloudWatch Logs client. */
  readonly answer: (request: AwsRequest) => Promise<JsonAnswer>;
};

type Event = { readonly eventId: string; readonly timestamp: number; readonly message: string };

/** What of the file is searched: its end. */
const SEARCHED_BYTES = 8_000_000;
/** @source AWS documentation, FilterLogEvents, `limit` */
const MOST_EVENTS = 10_000;

/**
 * CloudWatch Logs over the file that functions' lines are written to; see `openFunctionLog`. It finds lines of JSON,
 * whose time is that of their `timestamp`.
 *
 * @param file  a line each: the label of the function, a blank, and what the function wrote
 */
export function openLogs(file: string, functions: readonly FunctionModel[]): Logs {
  const labelOf = new Map(functions.map(({ logGroup, label }) => [logGroup, label]));
  return {
    answer: async ({ body }) => {
      const label = labelOf.get(String(body.logGroupName));
      if (label === undefined) return refused("ResourceNotFoundException", "There is no such log group.");
      const matches = parsePattern(String(body.filterPattern ?? ""));
      if (!matches) return refused("InvalidParameterException", "Invalid filter pattern");
      const { startTime = 0, endTime = Number.MAX_SAFE_INTEGER, limit = MOST_EVENTS, nextToken } = body;
      const events = await find(file, label, matches, [Number(startTime), Number(endTime)]);
      const from = Number(nextToken ?? 0);
      const page = events.slice(from, from + Number(limit));
      const end = from + page.length;
      return {
        status: 200,
        body: { events: page, ...(end < events.length && { nextToken: String(end) }) },
      };
    },
  };
}

async function find(
  file: string,
  label: string,
  matches: Matches,
  [from, until]: readonly [number, number],
): Promise<Event[]> {
  const { text, offset } = await readEnd(file);
  const events: Event[] = [];
  let place = offset;
  for (const line of text.split("\n")) {
    const eventId = String(place).padStart(56, "0");
    place += line.length + 1;
    if (!line.startsWith(`${label} {`)) continue;
    const message = line.slice(label.length + 1);
    const fields = parsed(message);
    const timestamp = Date.parse(String(fields?.timestamp));
    if (!fields || !(timestamp >= from && timestamp < until) || !matches(fields)) continue;
    events.push({ eventId, timestamp, message });
  }
  return events.sort((a, b) => a.timestamp - b.timestamp);
}

/** The last whole lines of the file; offsets are in characters, which is enough to distinguish lines. */
async function readEnd(file: string): Promise<{ text: string; offset: number }> {
  try {
    await using handle = await open(file);
    const { size } = await handle.stat();
    const offset = Math.max(0, size - SEARCHED_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - offset), 0, size - offset, offset);
    return { text: buffer.toString("utf8", 0, bytesRead), offset };
  } catch (error) {
    if (isMissing(error)) return { text: "", offset: 0 };
    throw error;
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    // The line is being written.
    return undefined;
  }
}

const refused = (type: string, message: string): JsonAnswer => ({
  status: 400,
  type,
  body: { __type: type, message },
});
