import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import { type Answer, request } from "./requests.ts";
import type { RunningPlatform } from "./running-platform.ts";
import { createStandIns } from "./stand-ins.ts";
import { writeRecord } from "./write-record.ts";

type Description = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
type Operation = { readonly operationId: string };

const ENDS_WITHIN_MS = 120_000;
const DESCRIPTION = "/openapi.json";
/** Replaces every id in a path. */
const UNKNOWN_ID = "unknown";

/**
 * Records the interface description as it is served, and the response of every operation while nothing is stored: to a
 * request without a token, to a user without scopes, and to an admin who sends no input. So empty lists, descriptions,
 * refusals and validation errors are recorded for each operation.
 */
export async function recordRoutes(
  { url, tokens }: Pick<RunningPlatform, "url" | "tokens">,
  output: string,
): Promise<void> {
  const who = {
    anonymous: undefined,
    "a user without scopes": await tokens.token("compare-nothing", []),
    "an admin": await tokens.token("admin", ["platform:admin"]),
  };
  const description = (await request(url, undefined, "GET", DESCRIPTION)).body as Description;
  const startedAt = Date.now() / 1000;
  // In the order in which it is served, because clients show it in that order.
  const served = JSON.stringify(description).replaceAll(url, "http://platform");
  writeRecord(output, "interface", "openapi", JSON.parse(served));
  for (const [path, operations] of Object.entries(description.paths)) {
    const target = path.replace(/\{\w+\}/g, UNKNOWN_ID);
    if (path.startsWith("/metrics")) await refreshMetrics(url, who["an admin"]);
    for (const [method, { operationId }] of Object.entries(operations)) {
      const answers: Record<string, Answer> = {};
      for (const [name, token] of Object.entries(who)) {
        answers[name] = await requestInTime(url, token, method.toUpperCase(), target);
      }
      if (path === DESCRIPTION) continue;
      // For each operation: where ids are numbered over all of them, one more id changes every record after it.
      writeRecord(output, "routes", operationId, createStandIns(startedAt).plain(answers));
    }
  }
}

const TRIES = 5;
const TOO_LATE = v.object({ status: v.literal(503), body: v.object({ message: v.string() }) });

/**
 * Repeats a request that the function did not answer in time: on a busy machine the API answers 503 in its place, in its own
 * form. Nothing is stored, so a repetition finds what the first request did. What is answered so every time is recorded.
 */
async function requestInTime(...asked: Parameters<typeof request>): Promise<Answer> {
  let answer = await request(...asked);
  for (let tried = 1; tried < TRIES && v.is(TOO_LATE, answer); tried++) answer = await request(...asked);
  return answer;
}

const POLL_MS = 100;

/** Has the metrics computed, and waits for it: otherwise an answer depends on whether that is over by now. */
async function refreshMetrics(url: string, token: string): Promise<void> {
  const refresh = "/metrics/refresh";
  await request(url, token, "POST", refresh);
  const status = v.object({ status: v.string() });
  for (const end = Date.now() + ENDS_WITHIN_MS; Date.now() < end; await pause(POLL_MS)) {
    const { body } = await request(url, token, "GET", `${refresh}/status`);
    if (!v.is(status, body) || body.status !== "running") return;
  }
}
