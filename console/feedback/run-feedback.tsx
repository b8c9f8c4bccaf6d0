import { useState } from "react";
import { Link } from "wouter";
import type { Run, RunPlace } from "../api/kinds.ts";
import { Button } from "../parts/button.tsx";
import { FeedbackEntries } from "./feedback-entries.tsx";
import { SayMore } from "./say-more.tsx";
import { Thumbs } from "./thumbs.tsx";
import { type RunFeedbackState, useRunFeedback } from "./use-run-feedback.ts";

type RunFeedbackProps = { readonly place: RunPlace; readonly run: Run };

/** What people say about a run: the reader's own verdict, and everybody's words. */
export function RunFeedback({ place, run }: RunFeedbackProps) {
  const state = useRunFeedback(place, run);
  const [isOpen, setOpen] = useState(false);
  if (!state) return null;
  return (
    <section aria-label="Feedback" className="stack-tight">
      <div className="row">
        <span className="field-label">How was it?</span>
        <Thumbs state={state} />
        <Button size="small" kind="plain" onPress={() => setOpen(true)}>
          Comment or correct
        </Button>
        <Counts state={state} />
        {state.mine("thumb")?.score === 0 && (
          <Link className="small" href="/runs?feedback=thumb%3A0">
            All runs called bad
          </Link>
        )}
      </div>
      <FeedbackEntries state={state} />
      {isOpen && <SayMore state={state} onClose={() => setOpen(false)} />}
    </section>
  );
}

/** How many called it good and bad, where there are others than the reader. */
function Counts({ state: { summary, mine } }: { readonly state: RunFeedbackState }) {
  const { thumb } = summary;
  if (!thumb || (thumb.count === 1 && mine("thumb"))) return null;
  return (
    <span className="small faint number">
      {thumb.sum} good · {thumb.count - thumb.sum} bad
    </span>
  );
}
