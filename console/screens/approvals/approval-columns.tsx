import type { Approval } from "../../../client/index.ts";
import { Status } from "../../parts/badge.tsx";
import type { Column } from "../../parts/list/list.tsx";
import { Time } from "../../parts/time.tsx";
import { briefOf, titleOf } from "./calls.tsx";
import { placeOf } from "./resolve.ts";

const what: Column<Approval> = {
  id: "what",
  title: "Call",
  width: "minmax(160px, 1fr)",
  cell: (approval) => (
    <div className="two-lines">
      <div className="cut">
        <span className="mono">{titleOf(approval)}</span>{" "}
        <span className="mono faint">{briefOf(approval.tool_args)}</span>
      </div>
      <div className="cut small faint">
        {placeOf(approval).component}
        {approval.user_id !== null && ` · asked by ${approval.user_id}`}
      </div>
    </div>
  ),
};

const waits: Column<Approval> = {
  id: "waits",
  title: "Asked",
  width: "112px",
  end: true,
  cell: ({ created_at, expires_at }) => (
    <div>
      <Time at={created_at} />
      {expires_at !== null && (
        <div className="small faint">
          expires <Time at={expires_at} />
        </div>
      )}
    </div>
  ),
};

const decided: Column<Approval> = {
  id: "decided",
  title: "Decided",
  width: "136px",
  end: true,
  cell: ({ resolved_at, resolved_by, created_at, status }) =>
    status === "pending" ? (
      <div className="small faint">
        asked <Time at={created_at} />
      </div>
    ) : (
      <div>
        {resolved_at === null ? <span className="faint">–</span> : <Time at={resolved_at} />}
        {resolved_by !== null && <div className="cut small faint">by {resolved_by}</div>}
      </div>
    ),
};

const state: Column<Approval> = {
  id: "status",
  title: "Status",
  width: "104px",
  cell: ({ status }) => <Status of={status} />,
};

/** @param status  that all rows have; undefined where they have several */
export const columnsFor = (status: string | undefined): readonly Column<Approval>[] =>
  status === "pending" ? [what, waits] : [what, state, decided];
