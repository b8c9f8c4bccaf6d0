import * as v from "valibot";
import { ChatCompletion, ChatRequest } from "../../schemas/openai/chat-completion.ts";
import { OpenaiError, OpenaiModel, OpenaiModels } from "../../schemas/openai/model.ts";
import {
  DeletedResponse,
  InputItemsPage,
  InputItemsQuery,
  ResponseObject,
  ResponseQuery,
  ResponseRequest,
} from "../../schemas/openai/response.ts";
import { idempotencyKey } from "../../schemas/runs/idempotency-key.ts";
import { meaning } from "../../schemas/values/described-as.ts";
import type { Route } from "../route.ts";
import type { openaiOperations } from "./protocol-operations.ts";

const common = { scopes: [], tag: "openai", refusals: "openai", refusal: OpenaiError } as const;

const ofResponse = {
  params: v.object({ response_id: meaning(v.string(), "Id of the response") }),
  response: ResponseObject,
  refuses: [409],
} as const;

/** The interface of OpenAI's clients. The family of runs serves it; what a caller may run is decided for each component. */
export const openaiRoutes = {
  listOpenaiModels: {
    ...common,
    method: "GET",
    path: "/v1/models",
    response: OpenaiModels,
    summary: "List the components that the caller may run, as OpenAI's clients list models",
  },
  getOpenaiModel: {
    ...common,
    method: "GET",
    path: "/v1/models/{model}",
    params: v.object({ model: meaning(v.string(), "A component, as agent:assistant, or its id alone") }),
    refuses: [400],
    response: OpenaiModel,
    summary: "Show one component as a model",
  },
  createChatCompletion: {
    ...common,
    method: "POST",
    path: "/v1/chat/completions",
    streams: "openai-chat",
    headers: {
      "Idempotency-Key": idempotencyKey,
      "X-Session-Id": {
        description:
          "The session of the run; without it, it follows from the caller, the model and the first message",
      },
    },
    /** Read by the handler: faults are answered as OpenAI does. */
    body: { text: "application/json", reads: ChatRequest },
    response: ChatCompletion,
    refuses: [400, 404, 409, 503],
    example: {
      body: { model: "agent:assistant", messages: [{ role: "user", content: "Where is my order?" }] },
    },
    summary: "Run a component for a client of OpenAI's chat completions",
    description:
      "The client's list is the history that the model sees; system messages are added to the instructions. A run that waits for its client ends with finish_reason tool_calls, and continues when the messages of the tools come.",
  },
  createOpenaiResponse: {
    ...common,
    method: "POST",
    path: "/v1/responses",
    streams: "openai-response",
    headers: { "Idempotency-Key": idempotencyKey },
    /** Read by the handler: faults are answered as OpenAI does. */
    body: { text: "application/json", reads: ResponseRequest },
    response: ResponseObject,
    refuses: [400, 404, 409, 503],
    example: { body: { model: "agent:assistant", input: "Where is my order?" } },
    summary: "Run a component for a client of OpenAI's responses",
    description:
      "With background the run is executed by the queue, and survives crashes; it is read by its id until it has ended. Functions of the client and confirmations end a response; the next request answers them.",
  },
  getOpenaiResponse: {
    ...common,
    ...ofResponse,
    method: "GET",
    path: "/v1/responses/{response_id}",
    streams: "openai-response",
    query: ResponseQuery,
    refuses: [400],
    summary: "Show a response as it is by now, or follow its events",
  },
  cancelOpenaiResponse: {
    ...common,
    ...ofResponse,
    method: "POST",
    path: "/v1/responses/{response_id}/cancel",
    summary: "Cancel the run of a response",
  },
  removeOpenaiResponse: {
    ...common,
    ...ofResponse,
    method: "DELETE",
    path: "/v1/responses/{response_id}",
    /** It removes the session. */
    scopes: ["sessions:delete"],
    response: DeletedResponse,
    summary: "Delete a response with its session",
    description:
      "Only one that is the whole of its conversation; DELETE /sessions/{session_id} removes a longer one. It is gone for every reader at once, and what belongs to it is removed in the background.",
  },
  listOpenaiInputItems: {
    ...common,
    params: ofResponse.params,
    method: "GET",
    path: "/v1/responses/{response_id}/input_items",
    query: InputItemsQuery,
    response: InputItemsPage,
    refuses: [400],
    summary: "List what a response was asked",
  },
} as const satisfies Record<(typeof openaiOperations)[number], Route>;
