import { Status } from "../../parts/badge.tsx";
import type { Column } from "../../parts/list/list.tsx";
import { Time } from "../../parts/time.tsx";
import type { Job } from "./queue-query.ts";
import { WaitBrief } from "./waits.tsx";

export const jobColumns = (now: number): readonly Column<Job>[] => [
  {
    id: "what",
    title: "Job",
    width: "minmax(140px, 1fr)",
    cell: (job) => (
      <div className="two-lines">
        <div className="cut" dir="auto">
          {job.payload.input || <span className="faint">no input</span>}
        </div>
        <div className="cut small faint">
          {job.component_id}
          {job.user_id !== null && ` · ${job.user_id}`}
          {job.error !== null && <span className="job-error"> · {job.error}</span>}
        </div>
      </div>
    ),
  },
  {
    id: "state",
    title: "State",
    width: "100px",
    cell: (job) => (
      <div>
        <Status of={job.status} />
        <div className="small faint cut">
          <StateNote job={job} now={now} />
        </div>
      </div>
    ),
  },
  {
    id: "age",
    title: "Accepted",
    width: "92px",
    from: 480,
    end: true,
    cell: ({ created_at, attempt, max_attempts }) => (
      <div>
        <Time at={created_at} />
        {max_attempts > 1 && (
          <div className="small faint">
            attempt {attempt} of {max_attempts}
          </div>
        )}
      </div>
    ),
  },
];

/** Why it waits, or since when a worker has it. */
function StateNote({ job, now }: { readonly job: Job; readonly now: number }) {
  if (job.status !== "running") return <WaitBrief job={job} now={now} />;
  return (
    <>
      since <Time at={job.locked_at} />
    </>
  );
}
