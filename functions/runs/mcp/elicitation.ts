import { randomUUID } from "node:crypto";
import type { JSONRPCRequest } from "@modelcontextprotocol/server";
import * as v from "valibot";
import type { Principal } from "../../../shared/auth/principal.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { readElicitedAnswer, recordElicitedAnswer } from "../../../shared/stores/runs/elicited-answer.ts";
import { digestOf } from "./digest-of.ts";
import type { McpDeps } from "./mcp-deps.ts";

type Needs = Pick<McpDeps, "db" | "clock">;

/** One question to the user behind a client, as its answer names it. */
type Asked = { readonly principal: Principal; readonly connection: string; readonly id: string };

const CHECK_EVERY_MS = 500;
/** How long a person may take; clients give up on the call sooner or later. */
const MOST_MS = 300_000;

/** Ends the ids of connections whose client asks its user: no state is kept, so the id says it. */
const ELICITS = ".elicits";

const Initialize = v.looseObject({
  method: v.literal("initialize"),
  params: v.looseObject({ capabilities: v.looseObject({ elicitation: v.looseObject({}) }) }),
});
/** The answer to a request of ours. One with an error is no yes. */
const Answer = v.looseObject({
  id: v.string(),
  result: v.optional(v.looseObject({ action: v.string(), content: v.optional(v.unknown()) })),
  error: v.optional(v.unknown()),
});
const Yes = v.looseObject({
  action: v.literal("accept"),
  content: v.looseObject({ confirm: v.literal(true) }),
});

/** The id of a new connection. @param message the client's `initialize` */
export const newConnection = (message: unknown): string =>
  `${randomUUID()}${v.is(Initialize, message) ? ELICITS : ""}`;

export const elicits = (connection: string | undefined): connection is string =>
  connection?.endsWith(ELICITS) === true;

/** The answer of a client to a question; undefined for any other message. */
export const answerIn = (message: unknown): v.InferOutput<typeof Answer> | undefined =>
  v.is(Answer, message) && !("method" in message) ? message : undefined;

/** The id under which the answer is recorded; no other user's can be the same. */
const recordOf = ({ principal, connection, id }: Asked): string =>
  digestOf([principal.kind, principal.user_id, connection, id]);

/** Records what a person has answered: another process may have asked. */
export const recordAnswer = (
  { db, clock }: Needs,
  asked: Omit<Asked, "id">,
  answer: NonNullable<ReturnType<typeof answerIn>>,
): Promise<void> =>
  recordElicitedAnswer(
    db,
    recordOf({ ...asked, id: answer.id }),
    v.is(Yes, answer.result),
    epochSeconds(clock),
  );

/**
 * Has the client ask its user for a yes, and waits for the answer, which comes in a request of its own.
 *
 *   call ─▶ this process ── elicitation/create in its stream ─▶ client ─▶ person
 *                └ reads the record ◀─ any process ◀── answer ─────┘
 *
 * @returns false for a no, and where nothing is answered in time
 * @source the protocol, version 2025-11-25: elicitation
 */
export async function askPerson(
  { db, clock }: Needs,
  by: Omit<Asked, "id">,
  send: (message: JSONRPCRequest) => Promise<void>,
  message: string,
  signal: AbortSignal,
): Promise<boolean> {
  const asked = { ...by, id: randomUUID() };
  const confirm = { type: "boolean", title: "Confirm", description: "Whether this may be done" };
  const requestedSchema = { type: "object", properties: { confirm }, required: ["confirm"] };
  await send({
    jsonrpc: "2.0",
    id: asked.id,
    method: "elicitation/create",
    params: { message, requestedSchema },
  });
  const until = clock.now() + MOST_MS;
  while (!signal.aborted && clock.now() < until) {
    await clock.sleep(CHECK_EVERY_MS);
    const answer = await readElicitedAnswer(db, recordOf(asked), epochSeconds(clock));
    if (answer !== undefined) return answer;
  }
  return false;
}
