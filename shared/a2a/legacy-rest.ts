import {
  Message,
  type Part,
  Role,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  TaskState,
  taskStateToJSON,
} from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import * as v from "valibot";
import { LegacyMessage, type LegacyPart } from "../schemas/a2a/a2a-legacy.ts";
import { issueText } from "../schemas/values/issue-text.ts";
import { partsOf } from "./envelope-parts.ts";
import { pushFromLegacy } from "./legacy-push.ts";
import { hasEndedState } from "./task-states.ts";

/**
 * The HTTP binding of version 0.3: version 1.0 under other names. Messages have `content` for `parts`, files and data a
 * member of their own, and a status update says whether it is the last.
 */
type Json = Record<string, unknown>;

/** @throws RequestMalformedError naming what is wrong with the request */
export function requestFromLegacy(body: unknown): SendMessageRequest {
  const parsed = v.safeParse(LegacyMessage, body);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new RequestMalformedError(issueText(issue, "body"));
  }
  const { message, configuration } = parsed.output;
  const push = configuration?.pushNotification ?? configuration?.pushNotificationConfig;
  return {
    tenant: "",
    metadata: undefined,
    message: {
      ...{ messageId: message.messageId, contextId: message.contextId, taskId: message.taskId },
      role: Role.ROLE_USER,
      parts: message.content.flatMap(partFrom),
      ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
    },
    configuration: {
      acceptedOutputModes: [],
      taskPushNotificationConfig: push && pushFromLegacy(push, ""),
      historyLength: configuration?.historyLength,
      // Clients of 0.3 leave out false values, so a configuration without `blocking` means false.
      returnImmediately: configuration?.blocking === false,
    },
  };
}

function partFrom({ text, file, data }: LegacyPart): Part[] {
  if (text !== undefined) return partsOf([{ kind: "text", text }]);
  if (data) return partsOf([{ kind: "data", data: data.data }]);
  const { fileWithUri: uri, fileWithBytes: bytes, mimeType, name } = file ?? {};
  return partsOf([
    { kind: "file", file: { ...(uri === undefined ? { bytes: bytes ?? "" } : { uri }), mimeType, name } },
  ]);
}

export function legacyTask(task: Task): Json {
  const { status, artifacts, history } = task;
  return {
    id: task.id,
    contextId: task.contextId,
    ...(status && { status: legacyStatus(status) }),
    ...(artifacts.length > 0 && { artifacts: artifacts.map(legacyArtifact) }),
    ...(history.length > 0 && { history: history.map(legacyMessage) }),
  };
}

/** One event of a stream. @param closesOnPause  whether the stream ends where the task requires input */
export function legacyEvent({ payload }: StreamResponse, closesOnPause: boolean): Json {
  switch (payload?.$case) {
    case "task":
      return { task: legacyTask(payload.value) };
    case "statusUpdate": {
      const { taskId, contextId, status, metadata } = payload.value;
      const isPause = status?.state === TaskState.TASK_STATE_INPUT_REQUIRED;
      const final = status !== undefined && (hasEndedState(status.state) || (closesOnPause && isPause));
      const update = { taskId, contextId, ...(status && { status: legacyStatus(status) }), final };
      return { statusUpdate: { ...update, ...(metadata && { metadata }) } };
    }
    case "artifactUpdate": {
      const { taskId, contextId, artifact, append, lastChunk } = payload.value;
      return {
        artifactUpdate: {
          ...{ taskId, contextId, append, lastChunk },
          ...(artifact && { artifact: legacyArtifact(artifact) }),
        },
      };
    }
    default:
      return {};
  }
}

const legacyStatus = ({ state, message, timestamp }: NonNullable<Task["status"]>): Json => ({
  state: taskStateToJSON(state).replace("CANCELED", "CANCELLED"),
  ...(message && { message: legacyMessage(message) }),
  ...(timestamp !== undefined && { timestamp }),
});

const legacyArtifact = ({ artifactId, name, parts }: Task["artifacts"][number]): Json => ({
  artifactId,
  ...(name !== "" && { name }),
  parts: parts.map(legacyPart),
});

const legacyMessage = (message: Message): Json => {
  const { parts: _, ...rest } = Message.toJSON(message) as Json; // an object, as every message is
  return { ...rest, content: message.parts.map(legacyPart) };
};

function legacyPart({ content, mediaType, filename }: Part): Json {
  const file = { mimeType: mediaType, ...(filename !== "" && { name: filename }) };
  switch (content?.$case) {
    case "text":
      return { text: content.value };
    case "data":
      return { data: { data: content.value } };
    case "url":
      return { file: { ...file, fileWithUri: content.value } };
    case "raw":
      return { file: { ...file, fileWithBytes: Buffer.from(content.value).toString("base64") } };
    default:
      return { text: "" };
  }
}
