/**
 * The declaration interface for `registry/`: everything that declares an agent, a team, a workflow, a tool or a hook.
 * `npm run check` refuses declarations that import anything else of the engine.
 */

export type { DeclaredModel } from "../model/declared-model.ts";
export type { GivenMedium } from "../model/given-medium.ts";
export type { AiToolSet, DeclaredTools } from "../tool/ai-tools.ts";
export type { DeclaredSchema, JsonSchema } from "../tool/declared-schema.ts";
export { defineMcpTools } from "../tool/mcp/define-mcp-tools.ts";
export type { McpServer } from "../tool/mcp/mcp-server.ts";
export {
  defineTool,
  type Question,
  type ResultWithMedia,
  type RunContext,
  resultWithMedia,
  type Tool,
  type ToolContext,
  type ToolSource,
} from "../tool/tool.ts";
export type { ToolPermission } from "../tool/tool-rights.ts";
export { whatsappTools } from "../tool/whatsapp-tools.ts";
export { type Agent, defineAgent, type Instructions } from "./agent.ts";
export type { HookRefusal, PostHook, PreHook, TextOrigin } from "./hook.ts";
export { defineRegistry, type RegisteredParts, type Registry } from "./registry.ts";
export { defineRemoteAgent } from "./remote-agent.ts";
export { defineTeam, type Member, type Team } from "./team.ts";
export {
  defineWorkflow,
  type StepAnswer,
  type StepFunction,
  type StepInput,
  type StepResult,
  stepAnswer,
  type Workflow,
  type WorkflowStep,
} from "./workflow.ts";
