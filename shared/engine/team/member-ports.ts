import { nestedPorts } from "../nested-ports.ts";
import type { SlicePorts } from "../slice-ports.ts";
import type { MemberRun } from "./member-run.ts";
import type { LeadScope } from "./team-tool.ts";

/**
 * What a member's run needs from outside, by way of its team's run: what it keeps is kept within the team's state, and
 * what it names is named apart from what the leader and other members name.
 */
export function memberPorts(run: MemberRun, { team, batch, execution }: LeadScope): SlicePorts {
  const { continues: _, ...ports } = execution.ports;
  const { run_id } = run;
  return {
    ...ports,
    emit: team.stream_member_events ? ports.emit : () => undefined,
    sessionState: execution.sessionState,
    ...nestedPorts(run_id, ports),
    ...(run.output?.status === "PAUSED" && !ports.signal.aborted && { continues: true }),
    keep(state) {
      const { output, answered = output?.requirements, ...rest } = run;
      batch.putRun({ ...rest, state, ...(answered && { answered }) });
      return batch.keep();
    },
  };
}
