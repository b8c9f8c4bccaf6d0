import type { StreamKind } from "../routes/route.ts";
import { referenceTo } from "./json-schema.ts";
import type { SchemaName } from "./named-schemas.ts";

const eventOf = {
  "agent-run": "AgentRunEvent",
  "team-run": "TeamRunEvent",
  "workflow-run": "WorkflowRunEvent",
  task: "TaskEvent",
  agui: "AguiEvent",
  "ui-chat": "UiMessageChunk",
  mcp: "McpAnswer",
  "openai-chat": "ChatCompletionChunk",
  "openai-response": "ResponseStreamEvent",
} as const satisfies Record<StreamKind, SchemaName>;

/**
 * Describes a stream of server-sent events. OpenAPI 3.1 can describe it as text only; `x-item-schema` describes each
 * frame in the syntax that `itemSchema` has in 3.2.
 *
 * @source OpenAPI 3.2.0, "Sequential media types", server-sent events
 */
export function eventStreamOf(kind: StreamKind, example: string | undefined): Record<string, unknown> {
  const data = {
    type: "string",
    contentMediaType: "application/json",
    contentSchema: referenceTo(eventOf[kind]),
  };
  return {
    "text/event-stream": {
      schema: { type: "string" },
      "x-item-schema": {
        type: "object",
        properties: { event: { type: "string" }, data },
        required: ["data"],
      },
      ...(example !== undefined && { example }),
    },
  };
}
