import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Operations } from "../../client/index.ts";
import { useMay, useMe } from "../access/use-me.ts";
import type { Run, RunPlace } from "../api/kinds.ts";
import { platform } from "../api/platform.ts";
import { notifyFailure } from "../parts/messages.tsx";

export type Feedback = Operations["listRunFeedback"]["answer"]["data"][number];
export type Said = Pick<Feedback, "key"> &
  Partial<Pick<Feedback, "message_id" | "score" | "value" | "comment" | "correction">>;

/** What was said about a run, and how the reader says something; undefined where the reader may not. */
export function useRunFeedback(
  { kind, component, session }: RunPlace,
  { run_id, user_id }: Pick<Run, "run_id" | "user_id">,
) {
  const may = useMay();
  const me = useMe();
  const client = useQueryClient();
  const isOwn = user_id === undefined || user_id === me.id;
  const mayJudge =
    may(`${kind}s:run`, component) && may(`${kind}s:read`, component) && (isOwn || may("feedback:write"));
  const queryKey = ["runs", "feedback", run_id];
  const query = { session_id: session };
  const { data } = useQuery({
    queryKey,
    enabled: mayJudge,
    queryFn: () => platform.listRunFeedback({ path: { run_id }, query }),
  });
  const after = { onError: notifyFailure, onSettled: () => client.invalidateQueries({ queryKey }) };
  const give = useMutation({
    mutationFn: (said: Said) =>
      platform.giveFeedback({ path: { run_id }, body: { ...said, session_id: session, source: "console" } }),
    ...after,
  });
  const takeBack = useMutation({
    mutationFn: ({ feedback_id }: Feedback) =>
      platform.removeFeedback({ path: { run_id, feedback_id }, query }),
    ...after,
  });
  const review = useMutation({
    mutationFn: ({ feedback_id }: Feedback) =>
      platform.reviewFeedback({
        path: { run_id, feedback_id },
        query,
        body: { review_status: "reviewed" },
      }),
    ...after,
  });
  if (!data) return undefined;
  const isMine = ({ author }: Feedback): boolean => author === (me.id ?? null);
  return {
    ...data,
    give,
    takeBack,
    review,
    isMine,
    mine: (key: string, message_id?: string) =>
      data.data.find((one) => one.key === key && one.message_id === message_id && isMine(one)),
    mayReview: may("feedback:write"),
    mayRemove: (one: Feedback): boolean => (isMine(one) && me.id !== null) || may("feedback:delete"),
  };
}
export type RunFeedbackState = NonNullable<ReturnType<typeof useRunFeedback>>;
