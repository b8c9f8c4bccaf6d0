import { type ReactNode, useCallback } from "react";
import type { Run, RunPlace } from "../api/kinds.ts";
import { MessageFoot } from "../conversation/message-foot.ts";
import { Thumbs } from "./thumbs.tsx";
import { useRunFeedback } from "./use-run-feedback.ts";

type JudgedMessagesProps = { readonly place: RunPlace; readonly run: Run; readonly children: ReactNode };

/** The conversation of a run, each of whose answers the reader may call good or bad. */
export function JudgedMessages({ place, run, children }: JudgedMessagesProps) {
  const state = useRunFeedback(place, run);
  const foot = useCallback(
    (message: string) =>
      state && (
        <div className="message-foot">
          <Thumbs state={state} message={message} />
        </div>
      ),
    [state],
  );
  return <MessageFoot value={foot}>{children}</MessageFoot>;
}
