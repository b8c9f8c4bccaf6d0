import { outputMedia } from "../../domain/output-media.ts";
import type { OutputMedia } from "../../schemas/media.ts";
import type { Message } from "../../schemas/run.ts";
import type { RunState } from "../run-state.ts";

/** What a run itself has made: by its tools, its members and its model. */
export const madeMedia = ({ messages, media = {} }: Pick<RunState, "messages" | "media">): OutputMedia =>
  outputMedia(...messages.filter(isOwn), ...Object.values(media));

const isOwn = ({ role, from_history }: Message): boolean =>
  !from_history && (role === "tool" || role === "assistant");
