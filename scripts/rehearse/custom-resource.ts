import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import * as v from "valibot";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";
import type { CustomRequest } from "./deploy-stack.ts";
import { type FunctionToRun, runFunction } from "./runtime-api.ts";

const Outcome = v.object({
  Status: v.picklist(["SUCCESS", "FAILED"]),
  Reason: v.optional(v.string()),
  Data: v.optional(v.record(v.string(), v.string()), {}),
});

/**
 * Calls the function of a custom resource as CloudFormation does, which waits at an address for its answer.
 *
 * @returns the attributes that it answered with
 * @throws Error with the reason that it gave
 */
export async function callCustomResource(
  client: string,
  fn: FunctionToRun,
  request: CustomRequest,
): Promise<Readonly<Record<string, string>>> {
  const { promise: answered, resolve } = Promise.withResolvers<unknown>();
  const waiting = await serveOnLoopback(
    createServer(async (incoming, response) => {
      resolve(await json(incoming));
      response.end();
    }),
  );
  const running = await runFunction(client, fn);
  try {
    const event = { ...request, RequestId: "rehearsal", ResponseURL: waiting.address };
    const ended = await running.invoke(event);
    if (ended.end !== "answered") throw new Error(`${fn.name} gave no answer: ${JSON.stringify(ended)}`);
    const { Status, Reason, Data } = v.parse(Outcome, await answered);
    if (Status === "FAILED") throw new Error(Reason ?? "without a reason");
    return Data;
  } finally {
    await running.stop();
    await waiting.stop();
  }
}
