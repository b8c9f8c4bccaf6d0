import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { eventStreamFrame } from "../../../test/support/hostile-model/event-stream-frame.ts";
import type { RecordedBody } from "../../../test/support/hostile-model/turn.ts";
import { type Answered, answeredBy } from "./answered.ts";

/** A streamed answer of a real service, as the AI SDK's tests keep it. */
export type Recording = {
  readonly name: string;
  /** Whose protocol it is in. */
  readonly provider: keyof typeof answeredBy;
  readonly body: RecordedBody;
  /** What it says, read without the SDK. */
  readonly says: Answered;
};

/** Where the recordings of a protocol are. Those of OpenAI's chat completions are played as any other server's. */
const places: readonly (readonly [provider: Recording["provider"], folder: string])[] = [
  ["openai", "packages/openai/src/responses/__fixtures__"],
  ["openai-compatible", "packages/openai/src/chat/__fixtures__"],
  ["openai-compatible", "packages/openai-compatible/src/chat/__fixtures__"],
  ["anthropic", "packages/anthropic/src/__fixtures__"],
  ["amazon-bedrock", "packages/amazon-bedrock/src/__fixtures__"],
];

export const folders: readonly string[] = places.map(([, folder]) => folder);

/** Every recording of a stream below a folder. Answers in one piece are left out: models are always asked for a stream. */
export const readRecordings = (root: string): Recording[] =>
  places.flatMap(([provider, folder]) =>
    globSync(`${folder}/*.{chunks.txt,sse}`, { cwd: root })
      .toSorted()
      .map((file) => {
        const lines = linesOf(readFileSync(join(root, file), "utf8"));
        const chunks = lines.flatMap(parsed);
        const name = basename(file).replace(/\.(chunks\.txt|sse)$/, "");
        return { name, provider, body: bodyOf(provider, lines), says: answeredBy[provider](chunks) };
      }),
  );

/** A line is one chunk as JSON, with or without the field name of an event stream. */
function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.replace(/^data: /, "").trim());
  return lines.filter((line) => line.startsWith("{"));
}

/** Nothing of a line that is no JSON: one recording has such a line. */
function parsed(line: string): object[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

function bodyOf(provider: Recording["provider"], lines: readonly string[]): RecordedBody {
  if (provider === "amazon-bedrock") {
    const frames = lines.flatMap(parsed).flatMap((chunk) => Object.entries(chunk).map(eventFrame));
    return { contentType: "application/vnd.amazon.eventstream", bytes: Buffer.concat(frames) };
  }
  const events = lines.map((line) => `data: ${line}\n\n`);
  const end = provider === "openai-compatible" ? "data: [DONE]\n\n" : "";
  return { contentType: "text/event-stream; charset=utf-8", bytes: Buffer.from(events.join("") + end) };
}

const eventFrame = ([type, payload]: readonly [type: string, payload: unknown]): Buffer =>
  eventStreamFrame(
    { ":event-type": type, ":content-type": "application/json", ":message-type": "event" },
    payload,
  );
