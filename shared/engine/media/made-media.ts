import { type JoinedMedia, madeIn, outputMedia } from "../../domain/runs/output-media.ts";
import type { RunState } from "../run/run-state.ts";

/** The files that a run has made so far, including those of calls whose result the model has not seen. */
export const madeMedia = ({ messages, media = {} }: Pick<RunState, "messages" | "media">): JoinedMedia =>
  outputMedia(madeIn(messages), ...Object.values(media));
