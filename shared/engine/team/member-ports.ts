import type { MemberRun } from "../run/run-state.ts";
import type { SlicePorts } from "../run/slice-ports.ts";
import type { LeadScope } from "./team-tool.ts";

/**
 * The ports of a member's run, made from its team's: its checkpoints are saved within the team's state, and both share
 * the session state.
 */
export function memberPorts(run: MemberRun, { team, batch, execution }: LeadScope): SlicePorts {
  const { continues: _, guardsAround, ...ports } = execution.ports;
  return {
    ...ports,
    guardsAround: {
      pre: [...(guardsAround?.pre ?? []), ...team.pre_hooks],
      post: [...(guardsAround?.post ?? []), ...team.post_hooks],
      holdsStream:
        guardsAround?.holdsStream === true || (team.post_hooks.length > 0 && team.stream_hold !== "none"),
      keepsWithheld: guardsAround?.keepsWithheld === true || team.keep_withheld === "audit",
    },
    emit: team.stream_member_events ? ports.emit : () => undefined,
    sessionState: execution.sessionState,
    ...(run.output?.status === "PAUSED" && !ports.signal.aborted && { continues: true }),
    saveCheckpoint(state) {
      const { output, answered = output?.requirements, ...rest } = run;
      batch.putRun({ ...rest, state, ...(answered && { answered }) });
      return batch.saveCheckpoint();
    },
  };
}
