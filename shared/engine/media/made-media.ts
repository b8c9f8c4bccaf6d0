import { type JoinedMedia, madeIn, outputMedia } from "../../domain/runs/output-media.ts";
import type { RunState } from "../run/run-state.ts";

/** What a run itself has made so far, also by calls that the model has not been told of. */
export const madeMedia = ({ messages, media = {} }: Pick<RunState, "messages" | "media">): JoinedMedia =>
  outputMedia(madeIn(messages), ...Object.values(media));
