import { randomBytes } from "node:crypto";
import {
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import * as v from "valibot";
import type { Principal } from "../../../../shared/auth/principal.ts";
import { ServiceError } from "../../../../shared/errors.ts";
import { epochSeconds } from "../../../../shared/runtime/clock.ts";
import { canonicalJson, parsedJson } from "../../../../shared/schemas/values/json-values.ts";
import { isPauseRoundOpen, recordPauseRound } from "../../../../shared/stores/runs/pause-round.ts";
import { digestOf } from "../digest-of.ts";
import type { McpDeps, ToolCall } from "../mcp-deps.ts";
import { type RunResult, runResult } from "../run-result.ts";
import { continueRunOf, type NamedRun, ownRun } from "../run-tools.ts";
import type { ClientCan } from "./client-capabilities.ts";
import { type Given, givenTo, questionFor } from "./question.ts";

/** The call of a tool that a client repeats with its user's answers. */
export type AskedCall = {
  readonly principal: Principal;
  readonly tool: string;
  readonly args: unknown;
  readonly can: ClientCan;
};

/** What a client brings back with the answers, unchanged. */
const Round = v.object({
  component_type: v.picklist(["agent", "team", "workflow"]),
  component_id: v.string(),
  run_id: v.string(),
  session_id: v.string(),
  /** 128 bits that cannot be guessed. */
  nonce: v.string(),
  /** Answers of the rounds before, to some of the questions. */
  given: v.array(v.object({ id: v.string(), answer: v.optional(v.unknown()), refuse: v.boolean() })),
});
const NONCE_BYTES = 16;

type Asking = Pick<McpDeps, "db" | "clock" | "mcp">;

/**
 * Has the client ask its user for what a run waits for. The client calls the tool once more then, with the answers and the state.
 *
 * @returns undefined where a question is for an approver, or can only be answered in another way
 * @source the protocol, version 2026-07-28: multi round-trip requests
 */
export async function askForAnswers(
  { db, clock, mcp }: Asking,
  call: AskedCall,
  named: NamedRun,
  { status, waits_for }: RunResult,
  given: readonly Given[] = [],
): Promise<InputRequiredResult | undefined> {
  const inputRequests = questionsFor({ mcp }, call.can, { status, waits_for }, given);
  if (!inputRequests) return undefined;
  const { component_type, component_id, run_id, session_id } = named;
  const nonce = randomBytes(NONCE_BYTES).toString("base64url");
  const round = { component_type, component_id, run_id, session_id, nonce, given };
  const requestState = Buffer.from(JSON.stringify(round)).toString("base64url");
  await recordPauseRound(db, roundOf(call, requestState), epochSeconds(clock));
  return inputRequired({ inputRequests, requestState });
}

/**
 * The questions that a paused run waits for, by their ids, but for those that have an answer.
 *
 * @returns undefined where one of them is for an approver, or can only be answered in another way
 */
export function questionsFor(
  { mcp }: Pick<McpDeps, "mcp">,
  can: ClientCan,
  { status, waits_for = [] }: Pick<RunResult, "status" | "waits_for">,
  given: readonly Given[],
): Record<string, InputRequest> | undefined {
  const open = waits_for.filter(({ id }) => !given.some((one) => one.id === id));
  if (status !== "PAUSED" || open.length === 0) return undefined;
  const page = mcp.publicUrl === undefined ? undefined : `${mcp.publicUrl}/console`;
  const questions: Record<string, InputRequest> = {};
  for (const waiting of open) {
    const question = questionFor(waiting, can, page);
    if (!question) return undefined;
    questions[waiting.id] = question;
  }
  return questions;
}

/** Says who was asked what in which call; whoever changes one of these, changes the id. */
const roundOf = ({ principal, tool, args }: AskedCall, requestState: string): string =>
  digestOf([principal.kind, principal.user_id, tool, canonicalJson(args ?? {}), requestState]);

/** A run after its client has answered. */
type Answered = {
  readonly result: RunResult;
  readonly named: NamedRun;
  /** Answers to keep while the rest is asked for; undefined where nothing more is asked in this call. */
  readonly kept: readonly Given[] | undefined;
};

/**
 * Continues a run with what a person has answered. A run that goes on already is answered as it is: no answer counts twice.
 *
 * @param requestState  as the client brings it back
 * @param responses     by the ids of the questions
 * @throws ProtocolError -32602 for a state that was not given to this caller for this call, or that is older than a day
 */
export async function answerRound(
  deps: McpDeps,
  call: AskedCall,
  by: ToolCall,
  requestState: string,
  responses: Readonly<Record<string, unknown>>,
): Promise<Answered> {
  const round = v.safeParse(Round, parsedJson(Buffer.from(requestState, "base64url").toString()));
  const id = roundOf(call, requestState);
  if (!round.success || !(await isPauseRoundOpen(deps.db, id, epochSeconds(deps.clock))))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState");
  const { nonce: _nonce, given: before, ...named } = round.output;
  const result = runResult(await ownRun(named, by, deps));
  const { status, waits_for: open = [] } = result;
  if (status !== "PAUSED") return { result, named, kept: undefined };
  const answers = open.map(
    (waiting) =>
      before.find(({ id: known }) => known === waiting.id) ?? givenTo(waiting, responses[waiting.id]),
  );
  const given = answers.filter((answer) => answer !== undefined);
  // The person wants to answer later, or was shown where it is answered.
  const isPutOff = open.some((waiting, i) => responses[waiting.id] !== undefined && answers[i] === undefined);
  if (isPutOff) return { result, named, kept: undefined };
  if (given.length < open.length) return { result, named, kept: given };
  try {
    // A person has answered this: the protocol has the client ask its user.
    const confirmed = { ...by, confirm: async () => true };
    return { result: await continueRunOf({ ...named, answers: given }, confirmed, deps), named, kept: [] };
  } catch (error) {
    // The same answers came twice, and the others were first.
    const isTaken = error instanceof ServiceError && error.code === "CONFLICT";
    if (isTaken) return { result: runResult(await ownRun(named, by, deps)), named, kept: undefined };
    throw error;
  }
}
