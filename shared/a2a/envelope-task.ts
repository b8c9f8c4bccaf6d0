import type { RunMetrics } from "../schemas/runs/run.ts";
import { answerText } from "./answer-text.ts";
import { type FileOfRun, type NamedFile, namedFiles, tooLargeText } from "./output-files.ts";
import type { TaskView } from "./task-of.ts";
import { envelopeStateOf } from "./task-states.ts";

type Json = Readonly<Record<string, unknown>>;
export type EnvelopeId = string | number;

/** A response of the envelope dialect. It never carries an error: errors are HTTP responses. */
export const envelope = (id: EnvelopeId, result: Json): Json => ({ id, jsonrpc: "2.0", result });

type Answer = {
  /** The text so far; the content of the run's record when absent. */
  readonly text?: string;
  readonly metrics?: RunMetrics | undefined;
};

/** A run as a task of the envelope dialect, with its one answer. @source docs/interface/a2a.md 4.2 */
export function envelopeTask(seen: TaskView, answer: Answer = {}): Json {
  const { run, files = [] } = seen;
  return {
    ...bareTask(seen),
    ...(files.length > 0 && { artifacts: envelopeArtifacts(files) }),
    history: [
      envelopeMessage(seen, textsOf(seen, answer), {
        ...(run.owner !== null && { userId: run.owner }),
        ...(answer.metrics && { metrics: answer.metrics }),
        ...(run.output.finish_reason && { finish_reason: run.output.finish_reason }),
      }),
    ],
  };
}

/** The same without its answer. @param state  the run's own by default */
export const bareTask = ({ run }: TaskView, state = envelopeStateOf[run.status]): Json => ({
  kind: "task",
  id: run.run_id,
  contextId: run.session_id,
  status: { state },
});

function textsOf({ run, cancel_reason }: TaskView, { text }: Answer): string[] {
  const shown = text || (run.status === "PAUSED" ? "" : answerText(run.output.content));
  const why = run.status === "CANCELLED" ? (cancel_reason ?? "The run was cancelled.") : undefined;
  return [...new Set([shown, ...(why === undefined ? [] : [why])])].filter((one) => one !== "");
}

/** A message of the run's. Its id is the same each time it is sent. */
export const envelopeMessage = ({ run }: TaskView, texts: readonly string[], metadata: Json): Json => ({
  kind: "message",
  messageId: `${run.run_id}:out`,
  role: "agent",
  contextId: run.session_id,
  taskId: run.run_id,
  parts: texts.map((text) => ({ kind: "text", text })),
  ...(Object.keys(metadata).length > 0 && { metadata }),
});

/** The files of a run's answer in the envelope dialect. @source docs/interface/a2a.md 4.2 */
const envelopeArtifacts = (files: readonly FileOfRun[]): Json[] =>
  namedFiles(files).map((file) => ({ artifactId: file.id, name: file.name, parts: [partOf(file)] }));

function partOf(file: NamedFile): Json {
  const { medium, bytes, mime_type: mimeType } = file;
  if (file.isTooLarge) return { kind: "text", text: tooLargeText(file) };
  return {
    kind: "file",
    file: {
      ...(bytes ? { bytes: Buffer.from(bytes).toString("base64") } : { uri: medium.url }),
      mimeType,
      ...(medium.filename !== undefined && { name: medium.filename }),
    },
  };
}
