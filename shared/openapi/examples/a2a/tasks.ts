import { pathExamples } from "../path-examples.ts";

const { run_id: id, session_id: contextId } = pathExamples;
const text = "What time is it in Oslo?";
const answer = "It is 10:15 in Oslo.";

/** A message of version 1.0, and the task that it becomes. */
export const message = { message: { messageId: "m-1", role: "ROLE_USER", parts: [{ text }] } };
export const task = {
  id,
  contextId,
  status: { state: "TASK_STATE_COMPLETED", timestamp: "2026-03-04T09:15:02Z" },
  artifacts: [{ artifactId: `${id}:answer`, parts: [{ text: answer }] }],
};

/** The same in the envelope dialect. */
export const envelope = {
  jsonrpc: "2.0",
  id: "1",
  method: "message/send",
  params: { message: { messageId: "m-1", role: "user", parts: [{ kind: "text", text }] } },
};
export const envelopeTask = {
  jsonrpc: "2.0",
  id: "1",
  result: { kind: "task", id, contextId, status: { state: "completed" } },
};
export const envelopeQuestion = { jsonrpc: "2.0", id: "1", params: { id, contextId } };

/** And as a call of JSON-RPC. */
export const call = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: message };
export const called = { jsonrpc: "2.0", id: 1, result: { task } };

const working = { statusUpdate: { taskId: id, contextId, status: { state: "TASK_STATE_WORKING" } } };
const submitted = {
  task: { id, contextId, status: { state: "TASK_STATE_SUBMITTED", timestamp: task.status.timestamp } },
};
const completed = { statusUpdate: { taskId: id, contextId, status: task.status } };

export const taskStream = [submitted, working, completed]
  .map((one) => `data: ${JSON.stringify(one)}\n\n`)
  .join("");
export const callStream = [submitted, working, completed]
  .map((result) => `data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result })}\n\n`)
  .join("");
export const envelopeFrames = `event: Task\ndata: ${JSON.stringify(envelopeTask)}\n\n`;
