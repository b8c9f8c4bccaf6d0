import type { ChatAnswer, OutMedium } from "../../shared/chat/index.ts";
import { usualType } from "../../shared/domain/runs/media-types.ts";
import { listMedia } from "../../shared/domain/runs/output-media.ts";
import type { Media, MediaKind } from "../../shared/schemas/runs/media.ts";
import type { RunOutput, ToolExecution } from "../../shared/schemas/runs/run.ts";
import type { StoredOutput } from "../../shared/schemas/runs/stored-output.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getObject } from "../../shared/stores/objects/object-bytes.ts";

/** The answer of a run: its content as text, the files that it made, and its calls. */
export async function chatAnswerOf(db: Db, output: StoredOutput): Promise<ChatAnswer> {
  const { content, reasoning_content } = output;
  const media = await Promise.all(listMedia(output).map(([kind, medium]) => outMedium(db, kind, medium)));
  return {
    text: textOf(content),
    reasoning: reasoning_content,
    media: media.filter((medium) => medium !== undefined),
    calls: callsOf(output),
  };
}

function textOf(content: unknown): string {
  if (content === undefined || content === null) return "";
  return typeof content === "string" ? content : `\`\`\`json\n${JSON.stringify(content, null, 2)}\n\`\`\``;
}

type WithRuns = RunOutput & { readonly step_executor_runs?: readonly RunOutput[] | undefined };

/** The run's own, after those of the runs that worked for it. */
const callsOf = ({
  member_responses = [],
  step_executor_runs = [],
  tools = [],
}: WithRuns): ToolExecution[] => [...[...member_responses, ...step_executor_runs].flatMap(callsOf), ...tools];

async function outMedium(
  db: Db,
  kind: MediaKind,
  { object, content, url, mime_type, filename, alt_text }: Media,
): Promise<OutMedium | undefined> {
  const caption = typeof alt_text === "string" ? alt_text : undefined;
  const common = { kind, mime_type: mime_type ?? usualType[kind], filename, caption };
  if (object) return { ...common, bytes: await getObject(db, object) };
  if (content !== undefined) return { ...common, bytes: Buffer.from(content, "base64") };
  return url === undefined ? undefined : { ...common, url };
}
