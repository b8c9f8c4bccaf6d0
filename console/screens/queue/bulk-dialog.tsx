import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { MOST, type Outcome } from "../../api/one-by-one.ts";
import { countText } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import { Notice } from "../../parts/notice.tsx";
import { RefusedList } from "../../parts/refused-list.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { type Act, execute, rehearse, type Target } from "./bulk.ts";
import { type Options, RequeueOptions } from "./requeue-options.tsx";

type BulkProps = {
  readonly act: Act;
  readonly target: Target;
  readonly onClose: () => void;
  /** Called when it was done. */
  readonly onDone: () => void;
};

/** Does something with many jobs: first says what would happen, then what happened. */
export function BulkDialog({ act, target, onClose, onDone }: BulkProps) {
  const client = useQueryClient();
  const [options, setOptions] = useState<Options>({
    force: false,
    clear_cancellation: isOfCancelled(target),
  });
  const rehearsal = useQuery({
    queryKey: ["queue-rehearsal", act, keyOf(target), options],
    queryFn: () => rehearse(act, target, options),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const execution = useMutation({
    mutationFn: () => execute(act, target, options),
    onSuccess: (outcome) => {
      onDone();
      const { done, refused, more } = outcome;
      if (refused.length > 0 || more) return;
      // There is nothing else to read.
      notify(`${outcomeText(act, done.length, true)}.`);
      onClose();
    },
    onError: notifyFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ["queue"] }),
  });
  const count = rehearsal.data?.done.length ?? 0;
  const verb = act === "requeue" ? "Requeue" : "Cancel";
  if (execution.data) {
    return (
      <Dialog title={`${verb} jobs`} isOpen onClose={onClose}>
        <OutcomeText act={act} outcome={execution.data} isDone />
        <div className="dialog-actions">
          <Button kind="main" onPress={onClose}>
            Close
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={`${verb} ${titleOf(target)}?`} isOpen onClose={onClose}>
      {act === "requeue" && <RequeueOptions options={options} onChange={setOptions} />}
      {rehearsal.error ? (
        <Failed error={rehearsal.error} retry={() => rehearsal.refetch()} />
      ) : rehearsal.data ? (
        <OutcomeText act={act} outcome={rehearsal.data} />
      ) : (
        <Skeleton lines={3} />
      )}
      <p className="soft">
        {act === "cancel"
          ? "Waiting and paused jobs end at once, running ones at their next checkpoint. What their tools have done is not undone. They can be requeued."
          : "Each gets one more attempt. They become due a few at a time, the oldest first."}
      </p>
      <div className="dialog-actions">
        <Button onPress={onClose}>Keep as it is</Button>
        <Button
          kind={act === "cancel" ? "danger-main" : "main"}
          isDisabled={count === 0 || execution.isPending}
          onPress={() => execution.mutate()}
        >
          {execution.isPending ? "Working…" : `${verb} ${jobsText(count)}`}
        </Button>
      </div>
    </Dialog>
  );
}

const jobsText = (count: number): string => (count === 1 ? "1 job" : `${countText(count)} jobs`);

function outcomeText(act: Act, count: number, isDone: boolean): string {
  const was = isDone ? (count === 1 ? "was" : "were") : "would be";
  return `${jobsText(count)} ${was} ${act === "requeue" ? "requeued" : "cancelled"}`;
}

const titleOf = (target: Target): string =>
  target.which === "chosen"
    ? `the ${jobsText(target.jobs.length)} that are selected`
    : `all ${target.status} jobs that match`;

const isOfCancelled = (target: Target): boolean =>
  target.which === "matching"
    ? target.status === "cancelled"
    : target.jobs.every(({ status }) => status === "cancelled");

const keyOf = (target: Target): unknown =>
  target.which === "chosen" ? target.jobs.map(({ id }) => id) : [target.status, target.selection];

function OutcomeText({
  act,
  outcome,
  isDone = false,
}: {
  readonly act: Act;
  readonly outcome: Outcome;
  readonly isDone?: boolean;
}) {
  const { done, refused, more } = outcome;
  return (
    <div className="stack-tight">
      <Notice tone={done.length === 0 ? "warn" : isDone ? "good" : "plain"}>
        {outcomeText(act, done.length, isDone)}
        {refused.length > 0 && `, ${countText(refused.length)} refused`}.
        {more && ` More match than the ${countText(MOST)} of one request: repeat it afterwards.`}
      </Notice>
      <RefusedList refused={refused} />
    </div>
  );
}
