import { Check, Trash2 } from "lucide-react";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Time } from "../parts/time.tsx";
import type { Feedback, RunFeedbackState } from "./use-run-feedback.ts";

/** What was said in words, labels, and verdicts from chats, where others may give them: those of this page are counted elsewhere. */
export function FeedbackEntries({ state }: { readonly state: RunFeedbackState }) {
  const shown = state.data.filter(
    ({ key, source, comment, correction, value }) =>
      key !== "thumb" ||
      source === "chat" ||
      [comment, correction, value].some((text) => text !== undefined && text !== ""),
  );
  if (shown.length === 0) return null;
  return (
    <ul className="stack-tight feedback-entries">
      {shown.map((one) => (
        <Entry key={one.feedback_id} one={one} state={state} />
      ))}
    </ul>
  );
}

function Entry({ one, state }: { readonly one: Feedback; readonly state: RunFeedbackState }) {
  const { mayReview, mayRemove, review, takeBack } = state;
  const { comment, correction, author, updated_at, review_status } = one;
  const title = titleOf(one);
  return (
    <li className="row">
      <Badge {...(one.key === "thumb" && { tone: one.score === 1 ? "good" : "bad" })}>{title}</Badge>
      <div className="feedback-text stack-tight" dir="auto">
        {comment !== undefined && <span className="said">{comment}</span>}
        {correction !== undefined && <span className="said">Right would have been: {correction}</span>}
        <span className="small faint">
          {author ?? "no name"} · <Time at={updated_at} />
          {one.source === "chat" && " · in the chat"}
          {one.message_id !== undefined && " · on one answer"}
          {review_status !== "new" && ` · ${review_status}`}
        </span>
      </div>
      {mayReview && review_status === "new" && (
        <Button
          kind="plain"
          size="small"
          icon={<Check size={14} aria-hidden />}
          label={`Mark as reviewed: ${title}`}
          isDisabled={review.isPending}
          onPress={() => review.mutate(one)}
        />
      )}
      {mayRemove(one) && (
        <Button
          kind="plain"
          size="small"
          icon={<Trash2 size={14} aria-hidden />}
          label={`Take back: ${title}`}
          isDisabled={takeBack.isPending}
          onPress={() => takeBack.mutate(one)}
        />
      )}
    </li>
  );
}

function titleOf({ key, score, value }: Feedback): string {
  if (key === "thumb") return score === 1 ? "Good" : "Bad";
  if (key === "correction") return "Correction";
  const said = value ?? score;
  return said === undefined ? key : `${key}: ${said}`;
}
