import type { JSONSchema7 } from "@ai-sdk/provider";
import type { Tool as Listed } from "@modelcontextprotocol/client";
import * as v from "valibot";
import { canonicalJson } from "../../../schemas/values/json-values.ts";
import { isCallWait, nowhereElse } from "../elsewhere.ts";
import { toolName } from "../name-collisions.ts";
import type { AskingRun, Tool } from "../tool.ts";
import { capabilitiesFor } from "./connect-mcp.ts";
import { outputCheck, shownResult } from "./mcp-result.ts";
import { abandonTask, callInRounds, type Round } from "./mcp-rounds.ts";
import { type McpConnection, requestLimit, serverName } from "./mcp-server.ts";
import type { McpSessions } from "./mcp-session.ts";
import type { Tasks } from "./mcp-task.ts";

/** The server validates the arguments itself; here they only have to be an object. */
const AnyArguments = v.record(v.string(), v.unknown());
/** Larger results are kept beside the prompt, also of agents that want to be shown every result whole. */
const MAX_RESULT_BYTES = 262_144;
/** How long a server may take to end a task whose run has ended. */
const CANCEL_SECONDS = 5;

/** Where calls of a server's tools go. */
export type McpCalls = {
  readonly server: McpConnection;
  readonly sessions: McpSessions;
  /** Whether the server still has a tool, by a list that is read now. */
  readonly stillHas: (name: string, asking: AskingRun) => Promise<boolean>;
};

/** A tool of an MCP server as a tool of the engine. A call that the server reports as failed throws its text. */
export function mcpTool(listed: Listed, calls: McpCalls): Tool {
  const { server } = calls;
  const { name, description, title, inputSchema } = listed;
  const effect = effectOf(listed, server);
  const check = outputCheck(listed.outputSchema);
  return {
    name: toolName(`${server.prefix ?? ""}${name}`),
    description: description ?? title ?? name,
    parameters: AnyArguments,
    // The protocol promises a JSON Schema of an object. A server may write its members in another order each time.
    input_schema: JSON.parse(canonicalJson(inputSchema)) as JSONSchema7,
    effect,
    max_result_bytes: server.max_result_bytes ?? MAX_RESULT_BYTES,
    ...(isConfirmed(listed, server) && { requires_confirmation: true }),
    ...(server.secrets.length > 0 && { secrets: server.secrets }),
    execute: async (args, context, elsewhere = nowhereElse) => {
      const { signal, run_id, session_id, user_id, secrets, traceparent } = context;
      const asking = { run_id, session_id, user_id, secrets };
      const limit = requestLimit(server, signal);
      // Without the schema of results: those are checked here. The other one says which arguments are headers, too.
      const options = { ...limit, toolDefinition: { name, inputSchema }, allowInputRequired: true };
      const call = (round: Round) =>
        calls.sessions.request(asking, effect, (client) => {
          const _meta = {
            ...capabilitiesFor(client, server),
            ...(traceparent !== undefined && { traceparent }),
          };
          return client.callTool({ name, arguments: args, ...round, _meta }, options);
        });
      const result = await callInRounds({
        server: serverName(server),
        asksPeople: server.elicitation !== "decline",
        elsewhere,
        ask: taskRequests(calls, asking, limit),
        send: (round) =>
          call(round).catch(async (error: unknown) => {
            // A server that does not know a tool has done nothing.
            if (!isUnknownTool(error) || !(await calls.stillHas(name, asking))) throw error;
            return call(round);
          }),
      });
      return isCallWait(result) ? result : shownResult(name, result, check);
    },
    abandon: (kept, asking) => {
      const limit = requestLimit({ timeout_seconds: CANCEL_SECONDS });
      return abandonTask({ ask: taskRequests(calls, asking, limit) }, kept);
    },
  };
}

/** Requests about a task. Asking twice changes nothing. */
const taskRequests =
  ({ sessions, server }: McpCalls, asking: AskingRun, limit: ReturnType<typeof requestLimit>): Tasks["ask"] =>
  (method, params, schema) =>
    sessions.request(asking, "safe", (client) =>
      client.request(
        { method, params: { ...params, _meta: capabilitiesFor(client, server) } },
        schema,
        limit,
      ),
    );

/**
 * @decided  A tool does harm when called twice, unless its server says otherwise and is believed. What destroys something is not
 *           repeated, even if the server says that a second time would change nothing.
 */
function effectOf({ annotations }: Listed, { trust_annotations = true }: McpConnection): Tool["effect"] {
  if (!trust_annotations || !annotations) return "once";
  if (annotations.readOnlyHint) return "safe";
  return annotations.idempotentHint && !annotations.destructiveHint ? "safe" : "once";
}

/** The protocol has a tool count as destructive that says nothing about it. */
function isConfirmed(
  { name, annotations }: Listed,
  { requires_confirmation = [], trust_annotations = true }: McpConnection,
): boolean {
  if (requires_confirmation !== "destructive") return requires_confirmation.includes(name);
  const isHarmless = annotations?.readOnlyHint === true || annotations?.destructiveHint === false;
  return !(trust_annotations && isHarmless);
}

const INVALID_PARAMS = -32_602;

function isUnknownTool(error: unknown): boolean {
  if (!(error instanceof Error) || Reflect.get(error, "code") !== INVALID_PARAMS) return false;
  return /unknown tool|tool\b.*\b(not found|unknown)|no tool\b/i.test(error.message);
}
