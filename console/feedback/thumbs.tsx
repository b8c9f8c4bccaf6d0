import { ThumbsDown, ThumbsUp } from "lucide-react";
import { ToggleButton } from "react-aria-components/ToggleButton";
import type { RunFeedbackState } from "./use-run-feedback.ts";

type ThumbsProps = {
  readonly state: RunFeedbackState;
  /** Of the answer that is judged; the run as a whole without it. */
  readonly message?: string;
};

/** The reader's own verdict: good, bad, or none. */
export function Thumbs(props: ThumbsProps) {
  return (
    <>
      <Thumb {...props} score={1} />
      <Thumb {...props} score={0} />
    </>
  );
}

function Thumb({ state: { mine, give, takeBack }, message, score }: ThumbsProps & { readonly score: 0 | 1 }) {
  const own = mine("thumb", message);
  const Icon = score === 1 ? ThumbsUp : ThumbsDown;
  const name = score === 1 ? "Good" : "Bad";
  return (
    <ToggleButton
      className="button button-plain button-small button-icon thumb"
      aria-label={message === undefined ? name : `${name} answer`}
      isSelected={own?.score === score}
      isDisabled={give.isPending || takeBack.isPending}
      onChange={(isChosen) => {
        if (isChosen)
          give.mutate({
            key: "thumb",
            score,
            ...(message !== undefined && { message_id: message }),
            ...(own?.comment && { comment: own.comment }),
          });
        else if (own) takeBack.mutate(own);
      }}
    >
      <Icon size={15} aria-hidden />
    </ToggleButton>
  );
}
