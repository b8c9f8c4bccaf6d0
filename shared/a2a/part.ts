import type { Message, Part } from "@a2a-js/sdk";
import { Role } from "@a2a-js/sdk";

const plain = { metadata: undefined, filename: "", mediaType: "" };

export const textPart = (value: string): Part => ({ ...plain, content: { $case: "text", value } });
export const dataPart = (value: unknown): Part => ({ ...plain, content: { $case: "data", value } });

type At = { readonly run_id: string; readonly session_id: string };

/** A message of the platform about a task. */
export const agentMessage = (at: At, messageId: string, parts: Part[]): Message => ({
  ...message(at, messageId, parts),
  role: Role.ROLE_AGENT,
});

/** A message of the task's sender. */
export const userMessage = (at: At, messageId: string, parts: Part[]): Message => ({
  ...message(at, messageId, parts),
  role: Role.ROLE_USER,
});

const message = ({ run_id, session_id }: At, messageId: string, parts: Part[]) => ({
  messageId,
  contextId: session_id,
  taskId: run_id,
  parts,
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});
