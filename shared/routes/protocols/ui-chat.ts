import * as v from "valibot";
import { UiChatRequest, UiMessage } from "../../schemas/ui-chat/ui-message.ts";
import { idEntry, idOf } from "../../schemas/values/path-ids.ts";
import type { Route } from "../route.ts";
import type { uiChatOperations } from "./protocol-operations.ts";

type Plural = "agents" | "teams" | "workflows";
type Noun = "agent" | "team" | "workflow";

const rowsOf = <P extends Plural, N extends Noun>(plural: P, noun: N) => {
  const common = { scopes: [`${plural}:run`] as const, tag: "ui-chat" } as const;
  const ofChat = { ...common, params: v.object({ ...idEntry(noun), chat_id: idOf("the chat's session") }) };
  return {
    run: {
      ...common,
      method: "POST",
      path: `/${plural}/{${noun}_id}/chat`,
      params: v.object(idEntry(noun)),
      streams: "ui-chat",
      body: { json: UiChatRequest },
      response: { mediaType: "text/event-stream" },
      refuses: [400, 409, 422, 503],
      strangers: 404,
      example: {
        body: {
          id: `chat-with-${noun}`,
          messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "Where is my order?" }] }],
        },
      },
      summary: `Run the ${noun} for a front end with the AI SDK's useChat`,
      description:
        "Answers the chunks of a UI message stream as server-sent events. A message of the user begins a run; approvals and outputs of tools in a message of the assistant continue the run that waits for them; regenerate-message runs the last answer's question again.",
    },
    show: {
      ...ofChat,
      method: "GET",
      path: `/${plural}/{${noun}_id}/chat/{chat_id}`,
      response: v.array(UiMessage),
      summary: "Show a chat as the messages that useChat begins with",
    },
    follow: {
      ...ofChat,
      method: "GET",
      path: `/${plural}/{${noun}_id}/chat/{chat_id}/stream`,
      streams: "ui-chat",
      response: { mediaType: "text/event-stream" },
      also: { 204: null },
      summary: "Follow the live run of a chat, from its first event; 204 where none is live",
    },
    stop: {
      ...ofChat,
      method: "POST",
      path: `/${plural}/{${noun}_id}/chat/{chat_id}/stop`,
      response: v.strictObject({}),
      refuses: [409],
      summary: "Cancel the live runs of a chat",
    },
  } as const;
};

const agent = rowsOf("agents", "agent");
const team = rowsOf("teams", "team");
const workflow = rowsOf("workflows", "workflow");

/** The interface of front ends by the AI SDK's UI message stream. The family of runs serves it. */
export const uiChatRoutes = {
  runAgentChat: agent.run,
  getAgentChat: agent.show,
  followAgentChat: agent.follow,
  stopAgentChat: agent.stop,
  runTeamChat: team.run,
  getTeamChat: team.show,
  followTeamChat: team.follow,
  stopTeamChat: team.stop,
  runWorkflowChat: workflow.run,
  getWorkflowChat: workflow.show,
  followWorkflowChat: workflow.follow,
  stopWorkflowChat: workflow.stop,
} as const satisfies Record<(typeof uiChatOperations)[number], Route>;
