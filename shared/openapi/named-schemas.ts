import { A2aAnswer, A2aRefusal, AgentCardAnswer } from "../schemas/a2a/a2a-answers.ts";
import { A2aCall, A2aMessage } from "../schemas/a2a/a2a-requests.ts";
import { AgentResponse } from "../schemas/components/agent.ts";
import { Component, ConfigVersion } from "../schemas/components/component.ts";
import { GivenLink } from "../schemas/components/component-bodies.ts";
import {
  CheckedComponent,
  CheckedVersion,
  ConfigCheck,
  ConfigWarning,
} from "../schemas/components/config-check.ts";
import { TeamResponse } from "../schemas/components/team.ts";
import { StepResponse } from "../schemas/components/workflow.ts";
import { Database } from "../schemas/databases/database.ts";
import { EvalResults } from "../schemas/evals/eval-results.ts";
import { EvalRun } from "../schemas/evals/eval-run.ts";
import { Content } from "../schemas/knowledge/knowledge-content.ts";
import { McpAnswer, McpMessage } from "../schemas/mcp/mcp-messages.ts";
import { Learning } from "../schemas/memories/learning.ts";
import { UserMemory } from "../schemas/memories/memory.ts";
import { QueueJob, QueueStats } from "../schemas/queue/queue-job.ts";
import { Approval } from "../schemas/runs/approval.ts";
import { CallInputField, CallQuestion } from "../schemas/runs/call-questions.ts";
import { Checkpoint } from "../schemas/runs/checkpoint.ts";
import { Media } from "../schemas/runs/media.ts";
import { CacheMetrics } from "../schemas/runs/prompt-cache.ts";
import {
  AcceptedRun,
  Message,
  ModelUsage,
  Requirement,
  RunMetrics,
  RunOutput,
  ToolExecution,
} from "../schemas/runs/run.ts";
import { AgentRunRow, TeamRunRow, WorkflowRunRow } from "../schemas/runs/run-row.ts";
import {
  StepMetrics,
  StepOutput,
  StepRequirement,
  WorkflowMetrics,
  WorkflowRunOutput,
} from "../schemas/runs/workflow-run.ts";
import { Schedule } from "../schemas/schedules/schedule.ts";
import { RunRequirement, ScheduleRun } from "../schemas/schedules/schedule-run.ts";
import {
  AgentSessionDetail,
  SessionDetail,
  SessionItem,
  SessionSummary,
  TeamSessionDetail,
  WorkflowSessionDetail,
} from "../schemas/sessions/session.ts";
import { TraceDetail, TraceNode } from "../schemas/traces/trace.ts";
import { UiMessage } from "../schemas/ui-chat/ui-message.ts";
import {
  ConfigFault,
  ErrorBody,
  UnprocessableBody,
  ValidationErrorBody,
} from "../schemas/values/error-body.ts";
import { PaginationInfo } from "../schemas/values/page.ts";
import {
  AgentRunEvent,
  AguiEvent,
  ChatCompletionChunk,
  ResponseStreamEvent,
  TaskEvent,
  TeamRunEvent,
  UiMessageChunk,
  WorkflowRunEvent,
} from "./events/run-events.ts";

/** Schemas that several operations share; the document references them by these names. */
export const namedSchemas = {
  A2aAnswer,
  A2aCall,
  A2aMessage,
  A2aRefusal,
  AcceptedRun,
  AgentCardAnswer,
  AgentResponse,
  AgentRunEvent,
  AgentRunRow,
  AgentSessionDetail,
  AguiEvent,
  Approval,
  CallInputField,
  CallQuestion,
  ChatCompletionChunk,
  CheckedComponent,
  CheckedVersion,
  Checkpoint,
  Component,
  ConfigCheck,
  ConfigFault,
  ConfigVersion,
  ConfigWarning,
  Content,
  Database,
  ErrorBody,
  EvalResults,
  EvalRun,
  GivenLink,
  Learning,
  McpAnswer,
  McpMessage,
  Media,
  Message,
  CacheMetrics,
  ModelUsage,
  PaginationInfo,
  QueueJob,
  QueueStats,
  Requirement,
  ResponseStreamEvent,
  RunMetrics,
  RunOutput,
  RunRequirement,
  Schedule,
  ScheduleRun,
  SessionDetail,
  SessionItem,
  SessionSummary,
  StepMetrics,
  StepOutput,
  StepRequirement,
  StepResponse,
  TaskEvent,
  TeamResponse,
  TeamRunEvent,
  TeamRunRow,
  TeamSessionDetail,
  ToolExecution,
  TraceDetail,
  TraceNode,
  UiMessage,
  UiMessageChunk,
  UnprocessableBody,
  UserMemory,
  ValidationErrorBody,
  WorkflowMetrics,
  WorkflowRunEvent,
  WorkflowRunOutput,
  WorkflowRunRow,
  WorkflowSessionDetail,
};

export type SchemaName = keyof typeof namedSchemas;
