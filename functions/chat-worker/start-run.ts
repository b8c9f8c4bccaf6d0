import * as v from "valibot";
import type { ChatMedium, ChatWork } from "../../shared/schemas/runs/chat-message.ts";
import type { MediaKind } from "../../shared/schemas/runs/media.ts";
import { AcceptedRun } from "../../shared/schemas/runs/run.ts";
import { getChat, recordAnswering } from "../../shared/stores/chats/index.ts";
import { putObject } from "../../shared/stores/objects/object-bytes.ts";
import { sessionObjects } from "../../shared/stores/objects/spill.ts";
import { mayPassLater } from "./call-runs.ts";
import type { Handled, LeasedMessage } from "./chat-worker-deps.ts";
import { type Delivered, sendText } from "./deliver.ts";
import { hasJoined, howToAsk } from "./join-run.ts";
import { writeProgress } from "./leased-message.ts";

/** `over`: nothing is left to be run. `turn`: not yet. An object: not started; the user was notified. */
export type Started =
  | "started"
  | "over"
  | "turn"
  | Exclude<Handled, "done">
  | { readonly notified: Delivered };

type Work = Extract<ChatWork, { kind: "run" }>;

const LATER = { again_after_seconds: 5 };

/**
 * Starts a background run that answers the message, or says it to the run that answers its sender already; in the name of the conversation's owner. The message's key is the
 * idempotency key: called twice, it starts one run.
 */
export async function startRun(leased: LeasedMessage, work: Work): Promise<Started> {
  const { deps, port, message } = leased;
  const chat = await getChat(deps.db, message.scope);
  const session_id = chat.session_id ?? message.scope;
  const session_policy = await howToAsk(leased, work, chat, session_id);
  if (session_policy === "turn") return "turn";
  const stored = await Promise.all(work.media.map((medium) => storeMedium(leased, session_id, medium)));
  const excess = stored.some((one) => one === "too_large");
  if (excess)
    await sendText(leased, "too_large", port.texts.too_large.replace("{limit}", String(port.mediaMaxMb)));
  const media = stored.filter((one) => one !== "too_large");
  if (work.text === "" && media.length === 0) return "over";
  const answer = await deps.callRuns({
    rawPath: `/${port.component}/runs`,
    form: { ...formOf(leased, session_id), ...mediaForm(work.text, media), session_policy },
    owner: message.owner,
    messageKey: message.key,
  });
  if (mayPassLater(answer)) return LATER;
  if (answer.status !== 202) {
    deps.log.error("the run of a message was refused", { status: answer.status });
    return { notified: await sendText(leased, "error", port.texts.error) };
  }
  const run = v.parse(AcceptedRun, JSON.parse(answer.body));
  const joins = await hasJoined(leased, work, run.run_id);
  await writeProgress(leased, {
    run: { run_id: run.run_id, session_id: run.session_id },
    ...(joins && { joins: true }),
  });
  if (!joins) await recordAnswering(deps.db, message.scope, message.key);
  return "started";
}

function formOf({ port, message }: LeasedMessage, session_id: string): Record<string, string> {
  const { target, message_id, sender } = message;
  const dependencies = port.dependenciesOf?.(message);
  const metadata = { interface: target.platform, message_id, sender_id: sender };
  return {
    session_id,
    stream: "false",
    background: "true",
    metadata: JSON.stringify(metadata),
    ...(dependencies && { dependencies: JSON.stringify(dependencies) }),
  };
}

/** A file that was stored for the run; or a note about one that could not be fetched. */
type StoredMedium =
  | "too_large"
  | { readonly kind: MediaKind; readonly note: string }
  | { readonly kind: MediaKind; readonly item: Readonly<Record<string, unknown>> };

const word = { images: "image", videos: "video", audios: "recording", files: "document" } as const;

async function storeMedium(
  { deps, port, message }: LeasedMessage,
  sessionId: string,
  medium: ChatMedium,
): Promise<StoredMedium> {
  const { kind, filename } = medium;
  const fetched = await port.fetchMedium(medium);
  if (!fetched.fetched) {
    return fetched.why === "too_large"
      ? "too_large"
      : { kind, note: `[The ${word[kind]} could not be fetched]` };
  }
  const object = await putObject(deps.db, sessionObjects(message.owner, sessionId), fetched.bytes);
  const { mime_type } = fetched;
  return {
    kind,
    item: { object, content: "", ...(mime_type && { mime_type }), ...(filename && { filename }) },
  };
}

const fieldOf = { images: "images", videos: "videos", audios: "audio", files: "input_files" } as const;

/** A run needs a message, so a file without a caption gets one. */
function mediaForm(
  text: string,
  stored: readonly Exclude<StoredMedium, "too_large">[],
): Record<string, string> {
  const notes = stored.flatMap((one) => ("note" in one ? [one.note] : []));
  const items = stored.flatMap((one) => ("item" in one ? [one] : []));
  const lines = [...notes, text].filter((part) => part !== "").join("\n");
  const kinds = [...new Set(items.map(({ kind }) => kind))];
  const listed = (kind: MediaKind) => items.filter((one) => one.kind === kind).map(({ item }) => item);
  return {
    message: lines === "" ? kinds.map((kind) => `[${word[kind]}]`).join(" ") : lines,
    ...Object.fromEntries(kinds.map((kind) => [fieldOf[kind], JSON.stringify(listed(kind))])),
  };
}
