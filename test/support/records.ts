import { newId, newRunId, newSessionId } from "../../shared/runtime/ids.ts";
import type { StoredJob } from "../../shared/stores/jobs/job-item.ts";
import type { StoredMemory } from "../../shared/stores/owned/memory-item.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import type { StoredSchedule } from "../../shared/stores/schedules/schedule-item.ts";
import type { StoredSession } from "../../shared/stores/sessions/session-item.ts";

/**
 * An instant that tests count from, in epoch seconds. It lies just behind us, because an engine may really delete
 * what has expired.
 */
export const T0 = Math.floor(Date.now() / 1000) - 5;

/** A job as it is accepted, with what a test cares about changed. */
export function aJob(changed: Partial<Record<keyof StoredJob, unknown>> = {}): StoredJob {
  return {
    id: newRunId(),
    component_type: "agent",
    component_id: "assistant",
    session_id: newSessionId(),
    job_type: "run",
    user_id: "maria",
    owner: "maria",
    payload: { input: "hello", kwargs: {} },
    status: "queued",
    attempt: 0,
    max_attempts: 1,
    attempt_ceiling: 1,
    idempotency_key: null,
    available_at: T0,
    locked_by: null,
    locked_at: null,
    error: null,
    created_at: T0,
    updated_at: null,
    completed_at: null,
    ...changed,
  } as StoredJob;
}

/** The record of a job's run as it is accepted. */
export function aRunOf(job: StoredJob, changed: Partial<StoredRun> = {}): StoredRun {
  return {
    run_id: job.id,
    session_id: job.session_id,
    owner: job.owner,
    component_type: job.component_type,
    component_id: job.component_id,
    status: "PENDING",
    attempt: 0,
    queued: true,
    opens_session: true,
    kwargs: {},
    output: {
      run_id: job.id,
      session_id: job.session_id,
      ...(job.user_id !== null && { user_id: job.user_id }),
      agent_id: job.component_id,
      agent_name: "Assistant",
      input: { input_content: job.payload.input },
      session_state: {},
      created_at: job.created_at,
      status: "PENDING",
    },
    ...changed,
  };
}

export function aSessionOf(job: StoredJob): StoredSession {
  return {
    session_id: job.session_id,
    session_type: "agent",
    component_id: job.component_id,
    user_id: job.owner,
    derived_name: job.payload.input,
    session_state: {},
    input_tokens: 0,
    output_tokens: 0,
    total_tokens: 0,
    created_at: job.created_at,
    updated_at: job.created_at,
  };
}

/** A session that a user created, with what a test cares about changed. */
export function aSession(changed: Partial<StoredSession> = {}): StoredSession {
  return { ...aSessionOf(aJob()), ...changed };
}

/** A memory that a user made by the interface. */
export function aMemory(changed: Partial<StoredMemory> = {}): StoredMemory {
  return {
    memory_id: newSessionId(),
    memory: "Prefers metric units",
    topics: ["units"],
    agent_id: null,
    team_id: null,
    user_id: "maria",
    created_at: T0,
    changed_at_ms: T0 * 1000,
    ...changed,
  };
}

/** A schedule of a user that fires at nine each morning. */
export function aSchedule(changed: Partial<StoredSchedule> = {}): StoredSchedule {
  const id = newId();
  return {
    id,
    user_id: "maria",
    name: `schedule ${id}`,
    description: null,
    method: "POST",
    endpoint: "/agents/assistant/runs",
    payload: {},
    cron_expr: "0 9 * * *",
    timezone: "UTC",
    timeout_seconds: 3600,
    max_retries: 0,
    retry_delay_seconds: 60,
    overlap: "skip",
    enabled: true,
    next_run_at: T0 + 60,
    managed_by: null,
    target_type: null,
    target_id: null,
    disabled_reason: null,
    created_at: T0,
    updated_at: null,
    plan_id: "plan",
    entries: 1,
    version: 1,
    ...changed,
  };
}
