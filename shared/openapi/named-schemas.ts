import { A2aAnswer, A2aRefusal, AgentCardAnswer } from "../schemas/a2a-answers.ts";
import { A2aCall, A2aMessage } from "../schemas/a2a-requests.ts";
import { AgentResponse } from "../schemas/agent.ts";
import { Approval } from "../schemas/approval.ts";
import { Checkpoint } from "../schemas/checkpoint.ts";
import { Component, ConfigVersion } from "../schemas/component.ts";
import { Database } from "../schemas/database.ts";
import { ErrorBody, UnprocessableBody, ValidationErrorBody } from "../schemas/error-body.ts";
import { EvalRun } from "../schemas/eval-run.ts";
import { Content } from "../schemas/knowledge-content.ts";
import { Learning } from "../schemas/learning.ts";
import { UserMemory } from "../schemas/memory.ts";
import { PaginationInfo } from "../schemas/page.ts";
import { QueueJob, QueueStats } from "../schemas/queue-job.ts";
import { AcceptedRun, Message, Requirement, RunMetrics, RunOutput, ToolExecution } from "../schemas/run.ts";
import { Schedule } from "../schemas/schedule.ts";
import { ScheduleRun } from "../schemas/schedule-run.ts";
import { SessionDetail, SessionItem } from "../schemas/session.ts";
import { TeamResponse } from "../schemas/team.ts";
import { TraceDetail, TraceNode } from "../schemas/trace.ts";
import { StepOutput, StepRequirement, WorkflowRunOutput } from "../schemas/workflow-run.ts";
import { AgentRunEvent, TaskEvent, TeamRunEvent, WorkflowRunEvent } from "./events/told-events.ts";

/** Schemas that several operations share; the document refers to them by these names. */
export const namedSchemas = {
  A2aAnswer,
  A2aCall,
  A2aMessage,
  A2aRefusal,
  AcceptedRun,
  AgentCardAnswer,
  AgentResponse,
  AgentRunEvent,
  Approval,
  Checkpoint,
  Component,
  ConfigVersion,
  Content,
  Database,
  ErrorBody,
  EvalRun,
  Learning,
  Message,
  PaginationInfo,
  QueueJob,
  QueueStats,
  Requirement,
  RunMetrics,
  RunOutput,
  Schedule,
  ScheduleRun,
  SessionDetail,
  SessionItem,
  StepOutput,
  StepRequirement,
  TaskEvent,
  TeamResponse,
  TeamRunEvent,
  ToolExecution,
  TraceDetail,
  TraceNode,
  UnprocessableBody,
  UserMemory,
  ValidationErrorBody,
  WorkflowRunEvent,
  WorkflowRunOutput,
};

export type SchemaName = keyof typeof namedSchemas;
