import type { TaskArtifactUpdateEvent } from "@a2a-js/sdk";
import { isObject, parsedJson } from "../../schemas/values/json-values.ts";

/** Member of an event's metadata by which `append` passes the SDK, whose client of 0.3 over HTTP leaves it out. */
const MARK = "agent-platform/append";

export const isMarkedAppend = ({ metadata }: Pick<TaskArtifactUpdateEvent, "metadata">): boolean =>
  metadata?.[MARK] === true;

/** The same response, in whose stream each artifact update that appends is marked. Answers that are no stream stay as they are. */
export function withMarkedAppends(response: Response): Response {
  const { status, statusText, headers, body } = response;
  if (!body || !headers.get("content-type")?.startsWith("text/event-stream")) return response;
  const lines = ReadableStream.from(markedLines(body.pipeThrough(new TextDecoderStream())));
  return new Response(lines.pipeThrough(new TextEncoderStream()), { status, statusText, headers });
}

async function* markedLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of texts) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (lines.length > 0) yield `${lines.map(markedLine).join("\n")}\n`;
  }
  yield rest;
}

function markedLine(line: string): string {
  if (!line.startsWith("data:")) return line;
  const event = parsedJson(line.slice("data:".length));
  const update = isObject(event) ? (event.artifactUpdate ?? event.artifact_update) : undefined;
  if (!isObject(update) || update.append !== true) return line;
  const metadata = { ...(isObject(update.metadata) && update.metadata), [MARK]: true };
  return `data: ${JSON.stringify({ artifactUpdate: { ...update, metadata } })}`;
}
