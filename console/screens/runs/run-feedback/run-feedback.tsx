import { ThumbsDown, ThumbsUp } from "lucide-react";
import { useState } from "react";
import { ToggleButton } from "react-aria-components/ToggleButton";
import type { Run, RunPlace } from "../../../api/kinds.ts";
import { Button } from "../../../parts/button.tsx";
import { FeedbackEntries } from "./feedback-entries.tsx";
import { SayMore } from "./say-more.tsx";
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
        <Thumb state={state} score={1} />
        <Thumb state={state} score={0} />
        <Button size="small" kind="plain" onPress={() => setOpen(true)}>
          Comment or correct
        </Button>
        <Counts state={state} />
      </div>
      <FeedbackEntries state={state} />
      {isOpen && <SayMore state={state} onClose={() => setOpen(false)} />}
    </section>
  );
}

type ThumbProps = { readonly state: RunFeedbackState; readonly score: 0 | 1 };

function Thumb({ state: { mine, give, takeBack }, score }: ThumbProps) {
  const own = mine("thumb");
  const Icon = score === 1 ? ThumbsUp : ThumbsDown;
  return (
    <ToggleButton
      className="button button-plain button-small button-icon thumb"
      aria-label={score === 1 ? "Good" : "Bad"}
      isSelected={own?.score === score}
      isDisabled={give.isPending || takeBack.isPending}
      onChange={(isChosen) => {
        if (isChosen) give.mutate({ key: "thumb", score, ...(own?.comment && { comment: own.comment }) });
        else if (own) takeBack.mutate(own);
      }}
    >
      <Icon size={15} aria-hidden />
    </ToggleButton>
  );
}

/** How many called it good and bad, where there are others than the reader. */
function Counts({ state: { summary, mine } }: Pick<ThumbProps, "state">) {
  const { thumb } = summary;
  if (!thumb || (thumb.count === 1 && mine("thumb"))) return null;
  return (
    <span className="small faint number">
      {thumb.sum} good · {thumb.count - thumb.sum} bad
    </span>
  );
}
