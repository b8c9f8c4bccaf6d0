import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { platform } from "../../api/platform.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import type { Job } from "./queue-query.ts";
import { RequeueOptions } from "./requeue-options.tsx";

type RequeueOneProps = {
  readonly job: Job;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

/** Asks how a stopped job is to run once more. */
export function RequeueOne({ job, isOpen, onClose }: RequeueOneProps) {
  const client = useQueryClient();
  const [options, setOptions] = useState({ force: false, clear_cancellation: job.status === "cancelled" });
  const requeue = useMutation({
    mutationFn: () => platform.requeueJob({ path: { job_id: job.id }, query: options }),
    onSuccess: () => {
      notify("The job is in the queue again.");
      onClose();
    },
    onError: notifyFailure,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ["queue"] });
      void client.invalidateQueries({ queryKey: ["run", job.session_id, job.id] });
    },
  });
  return (
    <Confirm
      title="Requeue this job?"
      isOpen={isOpen}
      onClose={onClose}
      action="Requeue the job"
      isBusy={requeue.isPending}
      onConfirm={() => requeue.mutate()}
    >
      <p>
        It gets one more attempt, number {job.attempt + 1}. The run goes on from its last checkpoint; tools
        that it had called may be called again where they allow it.
      </p>
      <RequeueOptions options={options} onChange={setOptions} />
    </Confirm>
  );
}
