import type { RunPlace } from "../api/kinds.ts";
import { Thumbs } from "./thumbs.tsx";
import { useRunFeedback } from "./use-run-feedback.ts";

/** The reader's verdict on a run of its own, where the run is one of many. */
export function TurnThumbs({ place }: { readonly place: RunPlace }) {
  const state = useRunFeedback(place, { run_id: place.run, user_id: undefined });
  return state ? <Thumbs state={state} /> : null;
}
