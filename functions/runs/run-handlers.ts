import type { RunnableKind } from "../../shared/engine/define/runnable.ts";
import type { Handlers } from "../../shared/http/handlers.ts";
import type { aguiRoutes } from "../../shared/routes/protocols/agui.ts";
import type { mcpRoutes } from "../../shared/routes/protocols/mcp.ts";
import type { openaiRoutes } from "../../shared/routes/protocols/openai.ts";
import type { uiChatRoutes } from "../../shared/routes/protocols/ui-chat.ts";
import {
  cancelComponentRun,
  continueComponentRun,
  createComponentRun,
  forKind,
  listRunMessages,
  type RunsDeps,
  resumeComponentRun,
  sendComponentMessage,
  withdrawRunMessage,
} from "../../shared/runs/index.ts";
import type { AguiRequest } from "./agui/agui-request.ts";
import { cancelRuns } from "./cancel-runs.ts";
import { compactAgentSession } from "./compact-agent-session.ts";
import { forkComponentSession } from "./fork-component-session.ts";
import { getCheckpoint } from "./get-checkpoint.ts";
import { getComponentRun } from "./get-component-run.ts";
import { listCheckpoints } from "./list-checkpoints.ts";
import { listComponentRuns } from "./list-component-runs.ts";
import { listRuns } from "./list-runs.ts";
import { getMcpResource } from "./mcp/get-mcp-resource.ts";
import type { McpDeps } from "./mcp/mcp-deps.ts";
import { resolveApproval } from "./resolve-approval.ts";
import type { ShownChat, UiChatAsked } from "./ui-chat/ui-chat-request.ts";

const handlersOf = (kind: RunnableKind) => ({
  create: forKind(kind, createComponentRun),
  continue: forKind(kind, continueComponentRun),
  resume: forKind(kind, resumeComponentRun),
  cancel: forKind(kind, cancelComponentRun),
  get: forKind(kind, getComponentRun),
  list: forKind(kind, listComponentRuns),
  send: forKind(kind, sendComponentMessage),
  listMessages: forKind(kind, listRunMessages),
  withdraw: forKind(kind, withdrawRunMessage),
  listCheckpoints: forKind(kind, listCheckpoints),
  getCheckpoint: forKind(kind, getCheckpoint),
  forkSession: forKind(kind, forkComponentSession),
});
const agents = handlersOf("agent");
const teams = handlersOf("team");
const workflows = handlersOf("workflow");

/** Front ends and MCP clients are not in every deployment: their code is loaded with the first request. */
const agui = (kind: RunnableKind) =>
  forKind(kind, async (request: AguiRequest, deps: RunsDeps) =>
    (await import("./agui/run-agui.ts")).runComponentAgui(request, deps),
  );
const chatOf = (kind: RunnableKind) => ({
  run: forKind(kind, async (request: UiChatAsked, deps: RunsDeps) =>
    (await import("./ui-chat/run-chat.ts")).runChat(request, deps),
  ),
  show: forKind(kind, async (request: ShownChat, deps: RunsDeps) =>
    (await import("./ui-chat/show-chat.ts")).showChat(request, deps),
  ),
  follow: forKind(kind, async (request: ShownChat, deps: RunsDeps) =>
    (await import("./ui-chat/show-chat.ts")).followChat(request, deps),
  ),
  stop: forKind(kind, async (request: ShownChat, deps: RunsDeps) =>
    (await import("./ui-chat/show-chat.ts")).stopChat(request, deps),
  ),
});
const chats = { agent: chatOf("agent"), team: chatOf("team"), workflow: chatOf("workflow") };
const chatHandlers: Handlers<typeof uiChatRoutes, RunsDeps> = {
  runAgentChat: chats.agent.run,
  getAgentChat: chats.agent.show,
  followAgentChat: chats.agent.follow,
  stopAgentChat: chats.agent.stop,
  runTeamChat: chats.team.run,
  getTeamChat: chats.team.show,
  followTeamChat: chats.team.follow,
  stopTeamChat: chats.team.stop,
  runWorkflowChat: chats.workflow.run,
  getWorkflowChat: chats.workflow.show,
  followWorkflowChat: chats.workflow.follow,
  stopWorkflowChat: chats.workflow.stop,
};
const catalog = async (request: { readonly origin?: string }, deps: McpDeps) =>
  (await import("./mcp/get-server-card.ts")).getAiCatalog(request, deps);
const protocolHandlers: Handlers<typeof aguiRoutes & typeof mcpRoutes & typeof openaiRoutes, McpDeps> = {
  runAgui: async (request, deps) => (await import("./agui/run-agui.ts")).runAgui(request, deps),
  getAguiStatus: async () => ({ status: "available" }),
  runAgentAgui: agui("agent"),
  runTeamAgui: agui("team"),
  runWorkflowAgui: agui("workflow"),
  callMcp: async (request, deps) => (await import("./mcp/call-mcp.ts")).callMcp(request, deps),
  listOpenaiModels: async (request, deps) =>
    (await import("./openai/list-openai-models.ts")).listOpenaiModels(request, deps),
  getOpenaiModel: async (request, deps) =>
    (await import("./openai/list-openai-models.ts")).getOpenaiModel(request, deps),
  createChatCompletion: async (request, deps) =>
    (await import("./openai/create-chat-completion.ts")).createChatCompletion(request, deps),
  createOpenaiResponse: async (request, deps) =>
    (await import("./openai/create-openai-response.ts")).createOpenaiResponse(request, deps),
  getOpenaiResponse: async (request, deps) =>
    (await import("./openai/named-response.ts")).getOpenaiResponse(request, deps),
  cancelOpenaiResponse: async (request, deps) =>
    (await import("./openai/named-response.ts")).cancelOpenaiResponse(request, deps),
  removeOpenaiResponse: async (request, deps) =>
    (await import("./openai/named-response.ts")).removeOpenaiResponse(request, deps),
  listOpenaiInputItems: async (request, deps) =>
    (await import("./openai/named-response.ts")).listOpenaiInputItems(request, deps),
  getMcpServerCard: async (request, deps) =>
    (await import("./mcp/get-server-card.ts")).getMcpServerCard(request, deps),
  getAiCatalog: catalog,
  getMcpCatalog: catalog,
  getMcpResource,
  getMcpResourceOfPath: getMcpResource,
};

/** The handlers of runs, for each kind under the name of its route. */
export const runHandlers = {
  listRuns,
  cancelRuns,
  createAgentRun: agents.create,
  continueAgentRun: agents.continue,
  resumeAgentRun: agents.resume,
  cancelAgentRun: agents.cancel,
  getAgentRun: agents.get,
  listAgentRuns: agents.list,
  sendAgentMessage: agents.send,
  listAgentMessages: agents.listMessages,
  withdrawAgentMessage: agents.withdraw,
  listAgentCheckpoints: agents.listCheckpoints,
  getAgentCheckpoint: agents.getCheckpoint,
  forkAgentSession: agents.forkSession,
  compactAgentSession: forKind("agent", compactAgentSession),
  createTeamRun: teams.create,
  continueTeamRun: teams.continue,
  resumeTeamRun: teams.resume,
  cancelTeamRun: teams.cancel,
  getTeamRun: teams.get,
  listTeamRuns: teams.list,
  sendTeamMessage: teams.send,
  listTeamMessages: teams.listMessages,
  withdrawTeamMessage: teams.withdraw,
  listTeamCheckpoints: teams.listCheckpoints,
  getTeamCheckpoint: teams.getCheckpoint,
  forkTeamSession: teams.forkSession,
  createWorkflowRun: workflows.create,
  continueWorkflowRun: workflows.continue,
  resumeWorkflowRun: workflows.resume,
  cancelWorkflowRun: workflows.cancel,
  getWorkflowRun: workflows.get,
  listWorkflowRuns: workflows.list,
  sendWorkflowMessage: workflows.send,
  listWorkflowMessages: workflows.listMessages,
  withdrawWorkflowMessage: workflows.withdraw,
  resolveApproval,
  ...chatHandlers,
  ...protocolHandlers,
};
