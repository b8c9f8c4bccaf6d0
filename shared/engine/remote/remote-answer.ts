import {
  type Artifact,
  type Message,
  type Part,
  Role,
  type StreamResponse,
  type Task,
  TaskState,
} from "@a2a-js/sdk";
import { isObject } from "../../schemas/values/json-values.ts";
import type { GivenMedium } from "../model/given-medium.ts";
import { isMarkedAppend } from "./mark-append.ts";

/** What a remote agent has answered so far. */
export type RemoteAnswer = {
  readonly task_id: string | undefined;
  readonly context_id: string | undefined;
  /** Undefined before the first status. A direct answer without a task counts as completed. */
  readonly state: TaskState | undefined;
  /** The text of the whole task, over all its answers. */
  readonly text: string;
  /** What its last status says: a question, or why it failed. */
  readonly said: string;
  readonly files: readonly GivenMedium[];
  /** As far as it reports them. */
  readonly tokens: Tokens;
};

/** The same at little cost: an answer may come in a hundred thousand events, and its text is put together for few of them. */
export type RemoteProgress = Pick<RemoteAnswer, "task_id" | "context_id" | "state"> & {
  /** About as long as the text. */
  readonly chars: number;
  readonly whole: () => RemoteAnswer;
};

/** Puts an answer together from events and from whole tasks, in any order in which a server sends them. */
export function collectRemoteAnswer() {
  const artifacts = new Map<string, Gathered>();
  let ids: Pick<RemoteAnswer, "task_id" | "context_id"> = { task_id: undefined, context_id: undefined };
  let state: TaskState | undefined;
  let status: Message | undefined;
  let direct = nothing;
  let lastOfHistory: Message | undefined;
  let chars = 0;
  const statements = new Map<string, Gathered>();
  let tokens: Tokens = { input_tokens: 0, output_tokens: 0 };
  const report = (metadata: unknown) => {
    tokens = reportedUsage(metadata) ?? tokens;
  };
  const addArtifact = (artifact: Artifact | undefined, append: boolean) => {
    if (!artifact) return;
    const before = append ? artifacts.get(artifact.artifactId) : undefined;
    const after = gathered(artifact.parts, before);
    chars += after.text.length - (artifacts.get(artifact.artifactId)?.text.length ?? 0);
    artifacts.set(artifact.artifactId, after);
    report(artifact.metadata);
  };
  const addStatement = ({ messageId, parts }: Message) => {
    statements.set(messageId, gathered(parts, statements.get(messageId)));
  };
  const addStatus = (next: Task["status"]) => {
    if (!next) return;
    state = next.state;
    status = next.message;
    if (status && state === TaskState.TASK_STATE_WORKING) addStatement(status);
    report(next.message?.metadata);
  };
  const addTask = (task: Task) => {
    ids = { task_id: task.id, context_id: task.contextId };
    for (const artifact of task.artifacts) addArtifact(artifact, false);
    const since = task.history.slice(task.history.findLastIndex(({ role }) => role === Role.ROLE_USER) + 1);
    lastOfHistory = task.history.findLast(({ role }) => role === Role.ROLE_AGENT) ?? lastOfHistory;
    // Whole, as they are kept there; streamed ones may have been parts of them.
    for (const message of since) statements.set(message.messageId, gathered(message.parts));
    if (task.status?.message) statements.delete(task.status.message.messageId);
    addStatus(task.status);
    report(task.metadata);
  };
  const whole = (): RemoteAnswer =>
    wholeAnswer({
      ids,
      state,
      tokens,
      answers: [...artifacts.values(), direct],
      statements,
      status,
      lastOfHistory,
    });
  return {
    addTask,
    add({ payload }: StreamResponse) {
      switch (payload?.$case) {
        case "task":
          return addTask(payload.value);
        case "message":
          state = TaskState.TASK_STATE_COMPLETED;
          direct = gathered(payload.value.parts, direct);
          ids = { ...ids, context_id: payload.value.contextId || ids.context_id };
          return report(payload.value.metadata);
        case "statusUpdate":
          ids = { task_id: payload.value.taskId, context_id: payload.value.contextId };
          addStatus(payload.value.status);
          return report(payload.value.metadata);
        case "artifactUpdate":
          ids = { task_id: payload.value.taskId, context_id: payload.value.contextId };
          return addArtifact(payload.value.artifact, payload.value.append || isMarkedAppend(payload.value));
        case undefined:
      }
    },
    progress: (): RemoteProgress => ({ ...ids, state, chars: chars + direct.text.length, whole }),
  };
}

/** What has arrived of a task. */
type Arrived = {
  readonly ids: Pick<RemoteAnswer, "task_id" | "context_id">;
  readonly state: TaskState | undefined;
  readonly tokens: Tokens;
  readonly answers: readonly Gathered[];
  /** What it has said while it worked, by message. */
  readonly statements: ReadonlyMap<string, Gathered>;
  readonly status: Message | undefined;
  readonly lastOfHistory: Message | undefined;
};

function wholeAnswer(arrived: Arrived): RemoteAnswer {
  const { ids, state, tokens, answers, status, lastOfHistory } = arrived;
  const written = answers
    .map(textOf)
    .filter((text) => text !== "")
    .join("\n\n");
  const isDone = state === TaskState.TASK_STATE_COMPLETED;
  return {
    ...ids,
    state,
    text: written === "" && isDone ? finalText(arrived) : written,
    said: textOf(gathered(status?.parts ?? lastOfHistory?.parts ?? [])),
    files: answers.flatMap(({ files }) => files),
    tokens,
  };
}

/** What the last status says; of a server that says its answer while it works, all that it has said. */
function finalText({ status, statements, lastOfHistory }: Arrived): string {
  if (status) return textOf(gathered(status.parts));
  const texts = [...statements.values()].map(textOf).filter((text) => text !== "");
  // Pieces of one text begin or end with the space between them.
  const arePieces = texts.some((text) => text !== text.trim());
  return texts.length > 0
    ? texts.join(arePieces ? "" : "\n\n")
    : textOf(gathered(lastOfHistory?.parts ?? []));
}

/** States in which a task does nothing more until it receives a message. */
export const hasStopped = (state: TaskState | undefined): boolean =>
  state !== undefined &&
  state !== TaskState.TASK_STATE_UNSPECIFIED &&
  state !== TaskState.TASK_STATE_SUBMITTED &&
  state !== TaskState.TASK_STATE_WORKING;

/** States in which it waits for its client. */
export const isAsking = (state: TaskState | undefined): boolean =>
  state === TaskState.TASK_STATE_INPUT_REQUIRED || state === TaskState.TASK_STATE_AUTH_REQUIRED;

/** Parts of one artifact or of direct answers, put together: a stream adds thousands, and each is read once. */
type Gathered = {
  readonly text: string;
  readonly data: readonly unknown[];
  readonly files: readonly GivenMedium[];
};

const nothing: Gathered = { text: "", data: [], files: [] };

const gathered = (parts: readonly Part[], before: Gathered = nothing): Gathered =>
  parts.reduce(({ text, data, files }, part) => {
    const { content } = part;
    if (content?.$case === "text") return { text: text + content.value, data, files };
    if (content?.$case === "data") return { text, data: [...data, content.value], files };
    return { text, data, files: [...files, ...fileOf(part)] };
  }, before);

/** Text as it is, and data as its JSON; what asks carries both, so data is left out where there is text. */
const textOf = ({ text, data }: Gathered): string =>
  text !== "" ? text : data.map((value) => JSON.stringify(value)).join("\n");

function fileOf({ content, mediaType, filename }: Part): GivenMedium[] {
  const described = {
    mime_type: mediaType || "application/octet-stream",
    ...(filename && { filename }),
  };
  if (content?.$case === "raw") return [{ ...described, bytes: new Uint8Array(content.value) }];
  return content?.$case === "url" ? [{ ...described, url: content.value }] : [];
}

type Tokens = { readonly input_tokens: number; readonly output_tokens: number };

/**
 * Where servers put the tokens that a task has used, and what they call them. The protocol has no place for it.
 *
 * @source ours and AgentOS: `metrics`; Google's Agent Development Kit: `adk_usage_metadata`; `usage` as in model interfaces
 */
const places = ["metrics", "usage", "adk_usage_metadata"] as const;
const inputs = ["input_tokens", "prompt_tokens", "promptTokenCount", "inputTokens"] as const;
const outputs = ["output_tokens", "completion_tokens", "candidatesTokenCount", "outputTokens"] as const;

/** Tokens in the metadata of a task, a status, a message or an artifact; undefined where it reports none. */
function reportedUsage(metadata: unknown): Tokens | undefined {
  if (!isObject(metadata)) return undefined;
  const found = places.map((place) => metadata[place]).find(isObject);
  if (!found) return undefined;
  const input_tokens = countIn(found, inputs);
  const output_tokens = countIn(found, outputs);
  return input_tokens === undefined && output_tokens === undefined
    ? undefined
    : { input_tokens: input_tokens ?? 0, output_tokens: output_tokens ?? 0 };
}

const countIn = (counts: Readonly<Record<string, unknown>>, names: readonly string[]): number | undefined => {
  const count = names.map((name) => counts[name]).find((value) => typeof value === "number");
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
};
