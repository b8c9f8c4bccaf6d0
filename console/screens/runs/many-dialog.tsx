import { useMutation, useQuery } from "@tanstack/react-query";
import { countOf, countText } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Id } from "../../parts/id.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { cancelRuns, MOST, type Outcome, rehearseCancel, runAgain, type Target } from "./many-runs.ts";
import type { RunEntry } from "./use-run-list.ts";

/** What is asked about many runs. */
export type Asked =
  | { readonly act: "cancel"; readonly target: Target }
  | { readonly act: "again"; readonly runs: readonly RunEntry[] };

type ManyProps = {
  readonly asked: Asked;
  readonly onClose: () => void;
  /** Called when it was done. */
  readonly onDone: () => void;
};

const texts = {
  cancel: {
    act: (runs: string) => `Cancel ${runs}`,
    was: "cancelled",
    about:
      "Runs that wait or are paused end at once, those that are executed at their next checkpoint, in the foreground too. What their tools have done is not undone.",
  },
  again: {
    act: (runs: string) => `Run ${runs} again`,
    was: "started again",
    about:
      "Each component is asked the same once more, in a new conversation of yours, in the background. Tools are really called.",
  },
} as const;

/** Does something with many runs: first says what would happen, then what happened. */
export function ManyDialog({ asked, onClose, onDone }: ManyProps) {
  const { act, was, about } = texts[asked.act];
  const rehearsal = useQuery({
    queryKey: ["runs-rehearsal", asked],
    queryFn: (): Promise<Outcome> | Outcome =>
      asked.act === "cancel"
        ? rehearseCancel(asked.target)
        : { done: asked.runs.map(({ run_id }) => run_id), refused: [], more: false },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const execution = useMutation({
    mutationFn: () => (asked.act === "cancel" ? cancelRuns(asked.target) : runAgain(asked.runs)),
    onSuccess: ({ done, refused, more }) => {
      onDone();
      if (refused.length > 0 || more) return;
      // There is nothing else to read.
      notify(`${countOf(done.length, "run")} ${done.length === 1 ? "was" : "were"} ${was}.`);
      onClose();
    },
    onError: notifyFailure,
  });
  const count = rehearsal.data?.done.length ?? 0;
  const shown = execution.data ?? rehearsal.data;
  return (
    <Dialog title={`${act(titleOf(asked))}?`} isOpen onClose={onClose}>
      {rehearsal.error ? (
        <Failed error={rehearsal.error} retry={() => rehearsal.refetch()} />
      ) : shown ? (
        <OutcomeText outcome={shown} was={was} isDone={execution.data !== undefined} />
      ) : (
        <Skeleton lines={3} />
      )}
      {!execution.data && <p className="soft">{about}</p>}
      <div className="dialog-actions">
        {execution.data ? (
          <Button kind="main" onPress={onClose}>
            Close
          </Button>
        ) : (
          <>
            <Button onPress={onClose}>Keep as it is</Button>
            <Button
              kind={asked.act === "cancel" ? "danger-main" : "main"}
              isDisabled={count === 0 || execution.isPending}
              onPress={() => execution.mutate()}
            >
              {execution.isPending ? "Working…" : act(countOf(count, "run"))}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  );
}

function titleOf(asked: Asked): string {
  if (asked.act === "again") return countOf(asked.runs.length, "selected run");
  if (asked.target.which === "chosen") return countOf(asked.target.runs.length, "selected run");
  const { component_id, user_id } = asked.target.filter;
  const of = [component_id && `of ${component_id}`, user_id && `of ${user_id}`].filter(Boolean).join(", ");
  return `all live runs ${of}`;
}

const SHOWN = 50;

type OutcomeProps = { readonly outcome: Outcome; readonly was: string; readonly isDone: boolean };

function OutcomeText({ outcome: { done, refused, more }, was, isDone }: OutcomeProps) {
  const verb = isDone ? (done.length === 1 ? "was" : "were") : "would be";
  return (
    <div className="stack-tight">
      <Notice tone={done.length === 0 ? "warn" : isDone ? "good" : "plain"}>
        {countOf(done.length, "run")} {verb} {was}
        {refused.length > 0 && `, ${countText(refused.length)} refused`}.
        {more && ` More may match than the ${countText(MOST)} of one request: repeat it afterwards.`}
      </Notice>
      {refused.length > 0 && (
        <ul className="refused">
          {refused.slice(0, SHOWN).map(({ id, detail }) => (
            <li key={id}>
              <Id value={id} /> <span className="soft">{detail}</span>
            </li>
          ))}
          {refused.length > SHOWN && <li className="faint">and {countText(refused.length - SHOWN)} more</li>}
        </ul>
      )}
    </div>
  );
}
