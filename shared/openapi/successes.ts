import type { Route, Schema, StreamKind } from "../routes/route.ts";
import { JSON_LINES } from "../schemas/values/json-lines-type.ts";
import type { Example } from "./example.ts";
import { jsonSchemaOf, referenceTo } from "./json-schema.ts";
import type { SchemaName } from "./named-schemas.ts";

/** The success responses, by status. */
export function successesOf(
  { response, status = 200, also = {}, streams, lines }: Route,
  { answers }: Example,
): Record<string, unknown> {
  const content = {
    ...contentOf(response, answers[status]),
    ...(lines && { [JSON_LINES]: { schema: { type: "string" } } }),
    ...(streams && eventStreamOf(streams, textIn(answers[status]?.[STREAM]))),
  };
  const others = Object.entries(also).map(([code, schema]) => [
    code,
    {
      description: descriptions[Number(code)] ?? "Success",
      ...(schema && { content: json(schema, answers[code]) }),
    },
  ]);
  return {
    [status]: {
      description: descriptions[status] ?? "Success",
      ...(Object.keys(content).length > 0 && { content }),
    },
    ...Object.fromEntries(others),
  };
}

const textIn = (example: unknown) => (typeof example === "string" ? example : undefined);

const STREAM = "text/event-stream";
const JSON_TYPE = "application/json";

const descriptions: Readonly<Record<number, string>> = {
  200: "Success",
  201: "Created",
  202: "Accepted: it continues by itself",
  204: "Done; there is nothing to show",
  207: "Done in part",
  304: "Unchanged since it was last read",
};

type Contents = Example["answers"][string] | undefined;

function contentOf(response: Route["response"], contents: Contents): Record<string, unknown> {
  if (response === null) return {};
  if (!("mediaType" in response)) return json(response, contents);
  // An operation that only streams is described by `eventStreamOf`.
  if (response.mediaType === STREAM) return {};
  const mediaType = mediaTypeOf(response);
  const format = mediaType.startsWith("text/") ? {} : { format: "binary" };
  const schema = mediaType.endsWith("+json") ? { type: "object" } : { type: "string", ...format };
  return {
    [mediaType]: {
      schema,
      ...shown(contents?.[mediaType] ?? Object.values(contents ?? {})[0]),
    },
  };
}

/** The media type without its parameters, because clients compare it so. */
const mediaTypeOf = ({
  mediaType,
  varies,
}: {
  readonly mediaType: string;
  readonly varies?: true;
}): string => (varies ? "*/*" : (mediaType.split(";")[0] ?? ""));

const json = (schema: Schema, contents: Contents) => ({
  [JSON_TYPE]: { schema: jsonSchemaOf(schema), ...shown(contents?.[JSON_TYPE]) },
});

const shown = (example: unknown) => (example === undefined ? {} : { example });

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
function eventStreamOf(kind: StreamKind, example: string | undefined): Record<string, unknown> {
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
