/** Hooks of React for the platform, over `@agentplatform/core/client`. */
export type { Approval } from "../client/index.ts";
export { AgentPlatform } from "./agent-platform.ts";
export { chatTransport, type PlatformChatTransport } from "./chat-transport.ts";
export type { RunFrame, RunStatus } from "./run-progress.ts";
export { type Agent, type AgentMessage, useAgent } from "./use-agent.ts";
export { type Approvals, useApprovals } from "./use-approvals.ts";
export { type FollowedRun, useRun } from "./use-run.ts";
