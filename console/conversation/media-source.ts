import { createContext } from "react";
import type { Media, RunOutput } from "../../client/index.ts";
import type { Run } from "../api/kinds.ts";

/** Finds a medium with its content, where what is shown only names it. */
export const MediaSource = createContext<(id: string) => Promise<Media | undefined>>(() =>
  Promise.resolve(undefined),
);

type Carrier = {
  readonly images?: readonly Media[] | null | undefined;
  readonly audio?: readonly Media[] | null | undefined;
  readonly audios?: readonly Media[] | null | undefined;
  readonly videos?: readonly Media[] | null | undefined;
  readonly files?: readonly Media[] | null | undefined;
};

/**
 * The media of a run with those of the runs and steps in it. Only the places of media are read: what people and tools
 * write into a run may look like a medium.
 */
export function mediaIn(run: Run | RunOutput): readonly Media[] {
  if ("step_results" in run) {
    const { step_results, step_executor_runs = [] } = run;
    return [...carried(run), ...step_results.flatMap(carried), ...step_executor_runs.flatMap(mediaIn)];
  }
  const { messages = [], member_responses = [] } = run;
  return [
    ...carried(run),
    ...carried(run.input),
    ...messages.flatMap(carried),
    ...member_responses.flatMap(mediaIn),
  ];
}

const carried = ({ images, audio, audios, videos, files }: Carrier): readonly Media[] =>
  [images, audio, audios, videos, files].flatMap((list) => list ?? []);
