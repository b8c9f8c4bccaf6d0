import { expect, test } from "vitest";
import { dataSchemaOf } from "../support/openapi/answer-fault.ts";
import { document, type Media, operations, responseOf } from "../support/openapi/document.ts";
import { componentsWithin, freeFormsOf } from "../support/openapi/free-forms.ts";

const asSent = "as its author sent it";
const ofProtocol =
  "the agent-to-agent protocol describes it, in the version that the client asks for (docs/a2a.md)";

const othersServe = "null here; what others serve";

const mcp = "the Model Context Protocol describes it, by the method that was called (docs/guide/mcp.md)";

/** What no schema of ours can describe, by the name of the member or by its whole place, with the reason. */
const free: Readonly<Record<string, string>> = {
  content: "text, or a value of the component's own output schema",
  metadata: asSent,
  meta_data: asSent,
  session_state: "the component's own",
  tool_args: "the tool's own arguments",
  proposed_args: "the tool's own arguments",
  edited_args: "by calls, the arguments of their tools",
  value: "what a person fills in, of the field's own type",
  allowed_values: "of the field's own type",
  user_input: "by the names of the step's own fields",
  edited_output: "what a person made of a step's content",
  input_schema: "a JSON Schema",
  parameters: "a JSON Schema",
  knowledge_filters: "by the names of the base's own metadata",
  config: "a stored component's, checked when it is stored; docs/guide/components.md",
  payload: asSent,
  kwargs: asSent,
  "WorkflowRunOutput.input": asSent,
  "WorkflowRunEventOption29.input": asSent,
  options: "the model provider's own",
  resolution_data: asSent,
  eval_input: asSent,
  CreateEvalRequestExpectedToolCallArgumentsValue: "by the names of tools, the tools' own arguments",
  usage: "always null today; the wire does not say what it holds",
  Media: "the members that the client sent beside ours",
  "QueueJobQueuedPayloadContinue.updated_tools": asSent,
  "QueueJobQueuedPayloadContinue.requirements": asSent,
  "QueueJobQueuedPayloadContinue.step_requirements": asSent,
  events: othersServe,
  citations: othersServe,
  response_audio: othersServe,
  "Learning.content": "the members depend on the type of the learning",
  A2aAnswer: ofProtocol,
  TaskEvent: ofProtocol,
  AgentCardAnswer: ofProtocol,
  AguiEvent: "the members depend on the type of the event; docs/guide/ag-ui.md",
  UiMessage: "the members depend on the front end and the type of the part; docs/guide/use-chat.md",
  UiMessageChunk: "the members depend on the type of the chunk; docs/guide/use-chat.md",
  ChatCompletionChunk: "the members depend on the chunk; docs/guide/openai.md",
  ResponseStreamEvent: "the members depend on the type of the event; docs/guide/openai.md",
  McpAnswer: mcp,
  "McpAnswer.result": mcp,
  McpAnswerError: mcp,
  AgentCardAnswerSkillsItem: ofProtocol,
  "GetRunLogResponseDataItem.fields": "the ids and figures of a log line, by what it is about",
  "ListAuditResponseDataItem.before": "what the operation changes, by the names of its own fields",
  "ListAuditResponseDataItem.after": "what the operation changes, by the names of its own fields",
  getOpenApi: "an OpenAPI document",
};

/** The schemas of everything that is answered with success, by the name of their operation. */
const answers = operations.flatMap((operation) =>
  Object.keys(operation.responses)
    .filter((status) => status.startsWith("2"))
    .flatMap((status) => Object.entries(responseOf(operation, status)?.content ?? {}))
    .flatMap(([mediaType, media]) => schemasOf(mediaType, media).map((schema) => ({ operation, schema }))),
);

function schemasOf(mediaType: string, { schema, "x-item-schema": item }: Media) {
  if (item) return [dataSchemaOf(item)];
  return mediaType === "application/json" ? [schema] : [];
}

const reached = [...componentsWithin(answers.map(({ schema }) => schema))];

const places = [
  ...answers.flatMap(({ operation, schema }) => freeFormsOf(schema, operation.operationId)),
  ...reached.flatMap((name) => freeFormsOf(document.components.schemas[name] ?? {}, name)),
];

test("every answer says what it holds, but for what its author chooses", () => {
  const unsaid = places.filter(({ place, member }) => !(member in free || place in free));
  expect([...new Set(unsaid.map(({ place }) => place))]).toEqual([]);
});

test("nothing stands among the exceptions that is none", () => {
  const used = new Set(places.flatMap(({ place, member }) => [place, member]));
  expect(Object.keys(free).filter((name) => !used.has(name))).toEqual([]);
});
