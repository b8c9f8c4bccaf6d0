import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as v from "valibot";
import { isFailure, renderError } from "../../../shared/http/render-error.ts";
import { type CallAddress, watchCallCancellation } from "./cancellations.ts";
import { askPerson, elicits } from "./elicitation.ts";
import { clientCan } from "./input/client-capabilities.ts";
import type { Given } from "./input/question.ts";
import { answerRound, askForAnswers } from "./input/rounds.ts";
import type { McpDeps, McpRequest, ToolCall } from "./mcp-deps.ts";
import { idsIn, recordRead } from "./record-read.ts";
import { RunResult } from "./run-result.ts";
import type { NamedRun } from "./run-tools.ts";
import { createdTask } from "./tasks.ts";
import { type McpTool, toolResult } from "./tool.ts";
import { toolsFor } from "./tools-for.ts";

const PROGRESS_EVERY_MS = 5_000;

type Served = {
  readonly request: McpRequest;
  /** Id of the client's connection; undefined where it sends none. */
  readonly connection: string | undefined;
  readonly server: Server;
};
type Params = { readonly name: string; readonly arguments?: Record<string, unknown> | undefined };

/**
 * Calls a tool. What a run waits for is asked of the person behind the client, where the client can ask, and is one of the results
 * of the tool otherwise.
 *
 * @throws ProtocolError for a tool that is not there for the caller
 */
export async function callTool(
  { request, connection, server }: Served,
  deps: McpDeps,
  tools: readonly McpTool[],
  { name, arguments: args }: Params,
  mcpReq: ServerContext["mcpReq"],
) {
  const { principal, invocation } = request;
  const called = (among: readonly McpTool[]) => among.find((one) => one.name === name);
  // Another instance may have listed it already.
  const tool = called(tools) ?? called(toolsFor(principal, deps.mcp, await deps.mcp.live.anew()));
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${name} for you`);
  const progress = progressOf(mcpReq, deps);
  // Clients give up on a call that sends nothing for a minute.
  const startedAt = deps.clock.now();
  const working = setInterval(
    () => progress(`working for ${Math.round((deps.clock.now() - startedAt) / 1000)} s`),
    PROGRESS_EVERY_MS,
  );
  const stop = new AbortController();
  const signal = AbortSignal.any([request.signal, mcpReq.signal, stop.signal]);
  const address = connection === undefined ? undefined : { principal, connection, requestId: mcpReq.id };
  const unwatch = address && watchCallCancellation(deps, address satisfies CallAddress, () => stop.abort());
  try {
    const traceparent = traceparentIn(mcpReq._meta) ?? request.headers.traceparent;
    const send = async (message: JSONRPCRequest) =>
      server.transport?.send(message, { relatedRequestId: mcpReq.id });
    const confirm = confirmerOf(request, deps, connection, { send, signal });
    const call = { principal, signal, invocation, progress, confirm, traceparent };
    const asked = { principal, tool: name, args, can: clientCan(mcpReq) };
    const { result, named, kept } = await resultOf(tool, args, call, deps, asked, mcpReq);
    await recordRead(request, deps, { tool: tool.name, ...idsIn(args) });
    const question =
      named && kept && v.is(RunResult, result)
        ? await askForAnswers(deps, asked, named, result, kept)
        : undefined;
    if (named && asked.can.tasks && isUnderWay(result))
      return (await createdTask(deps, call, named, asked.can)) as never; // a result of the extension, which the package passes on
    return question ?? toolResult(result, tool.hasFailed(result));
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    return asToolError(error, deps);
  } finally {
    clearInterval(working);
    unwatch?.();
  }
}

type Result = {
  readonly result: object;
  readonly named: NamedRun | undefined;
  /** Answers that are known already; undefined where nothing is asked. */
  readonly kept: readonly Given[] | undefined;
};

/** The result of a call, or of its continuation with what a person has answered. */
async function resultOf(
  tool: McpTool,
  args: unknown,
  call: ToolCall,
  deps: McpDeps,
  asked: Parameters<typeof answerRound>[1],
  { requestState, inputResponses = {} }: ServerContext["mcpReq"],
): Promise<Result> {
  const state = requestState();
  if (typeof state === "string") return answerRound(deps, asked, call, state, inputResponses);
  const result = await tool.call(args, call, deps);
  return { result, named: tool.runIn(args, result), kept: [] };
}

/** It goes on in the background, or for longer than the function has time. */
const isUnderWay = (result: object): boolean =>
  v.is(RunResult, result) && (result.status === "PENDING" || result.status === "RUNNING");

/** Asks the user behind the client, where that can be: a buffered answer, which has one limit, reaches the client at its end. */
function confirmerOf(
  { principal, invocation: { waitLimits } }: McpRequest,
  deps: McpDeps,
  connection: string | undefined,
  {
    send,
    signal,
  }: { readonly send: (message: JSONRPCRequest) => Promise<void>; readonly signal: AbortSignal },
): ((question: string) => Promise<boolean>) | undefined {
  const isBuffered = waitLimits !== undefined && waitLimits.stream === waitLimits.answer;
  if (!elicits(connection) || isBuffered) return undefined;
  return (question) => askPerson(deps, { principal, connection }, send, question, signal);
}

/** What the call itself names counts before the header: a connection may serve calls of several traces. */
const traceparentIn = (meta: Readonly<Record<string, unknown>> = {}): string | undefined =>
  typeof meta.traceparent === "string" ? meta.traceparent : undefined;

/** Sends what a call is doing, where the client has asked for it. */
function progressOf({ _meta, notify }: ServerContext["mcpReq"], { log }: McpDeps): (message: string) => void {
  const progressToken = _meta?.progressToken;
  let progress = 0;
  return (message) => {
    if (progressToken === undefined) return;
    progress += 1;
    const params = { progressToken, progress, message };
    notify({ method: "notifications/progress", params }).catch((error) =>
      log.warn("progress of a call could not be sent", { error: String(error) }),
    );
  };
}

/** A refusal that the model reads: the same code and text as on the other routes. */
function asToolError(error: unknown, { log }: McpDeps) {
  if (isFailure(error)) log.error("a tool of the MCP server failed", { error });
  const { body } = renderError(error);
  return { content: [{ type: "text" as const, text: String(body) }], isError: true };
}
