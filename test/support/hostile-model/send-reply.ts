import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Frame, Protocol, Refusal } from "./protocol.ts";
import type { Failure, Reply } from "./turn.ts";

/** What was written is with the client by then, so that what is done next cannot overtake it. */
const ARRIVES_MS = 100;

/** Sends one reply, or fails as it says. @param streams  whether the request asked for a stream */
export async function sendReply(
  reply: Reply,
  protocol: Protocol,
  streams: boolean,
  response: ServerResponse,
): Promise<void> {
  const { fails, recorded } = reply;
  if (recorded) {
    response.writeHead(200, { "content-type": recorded.contentType }).end(recorded.bytes);
    return;
  }
  if (fails?.kind === "status") {
    const refused = protocol.refused(fails.status, fails.message);
    return refuse({ ...refused, headers: { ...refused.headers, ...fails.headers } }, response);
  }
  if (fails?.kind === "too_long") return refuse(protocol.tooLong, response);
  if (fails?.kind === "silence" && fails.after_deltas === undefined) return;
  if (fails?.kind === "reset" && fails.when === "before_headers") return reset(response);
  if (!streams) {
    response.writeHead(200, { "content-type": "application/json" });
    if (fails) return reset(response);
    response.end(JSON.stringify(protocol.whole(reply)));
    return;
  }
  response.writeHead(200, { "content-type": protocol.contentType });
  response.flushHeaders();
  if (fails?.kind === "reset") return reset(response, ARRIVES_MS);
  await stream(protocol.frames(reply), fails, protocol, response);
}

async function stream(
  frames: readonly Frame[],
  fails: Failure | undefined,
  protocol: Protocol,
  response: ServerResponse,
): Promise<void> {
  for (const { bytes, isDelta } of upTo(frames, fails)) {
    if (response.destroyed) return;
    response.write(bytes);
    if (isDelta && fails?.kind === "slow") await sleep(fails.ms);
  }
  switch (fails?.kind) {
    case "cut":
      return reset(response, ARRIVES_MS);
    case "silence":
      return;
    case "bad_frame":
      await sleep(ARRIVES_MS);
      response.write(protocol.badFrame.bytes);
      break;
    case "fails":
      for (const { bytes } of protocol.failed(fails.code, fails.message)) response.write(bytes);
  }
  response.end();
}

/** The frames before a stream breaks; all of them where it does not. */
function upTo(frames: readonly Frame[], fails: Failure | undefined): readonly Frame[] {
  const limit = fails && "after_deltas" in fails ? fails.after_deltas : undefined;
  return limit === undefined ? frames : framesUpTo(frames, limit);
}

/** The frames of an answer up to some number of its deltas. */
export function framesUpTo(frames: readonly Frame[], limit: number): Frame[] {
  const deltas = frames.flatMap(({ isDelta }, at) => (isDelta ? [at] : []));
  const next = deltas[limit];
  // After the last delta what belongs to it comes too, and the end of the answer does not.
  return frames.slice(0, next ?? (deltas.at(-1) ?? 0) + 1);
}

function refuse({ status, headers, body }: Refusal, response: ServerResponse): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** Breaks the connection, once what was written had time to leave. */
async function reset(response: ServerResponse, afterMs = 0): Promise<void> {
  if (afterMs > 0) await sleep(afterMs);
  response.socket?.resetAndDestroy();
}
