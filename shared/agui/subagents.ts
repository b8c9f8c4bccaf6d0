import { type Event, EventType } from "@ag-ui/core";

/** The fields that say whose events those of a run are. */
export type Attributed = (run_id: string) => { readonly subagentRunId?: string };

type Nested = { readonly run_id: string; readonly parent_run_id?: string };

type Named = {
  readonly agent_name?: string;
  readonly team_name?: string;
  readonly workflow_name?: string;
};

/**
 * The runs within a run, which are subagents in AG-UI: a team's members and what a workflow's steps execute.
 *
 * @param main  the run that the stream is about
 */
export function subagents(main: string) {
  const active = new Set<string>();
  const ended = new Set<string>();
  const end = (run_id: string, event: Event): Event[] => {
    if (!active.delete(run_id)) return [];
    ended.add(run_id);
    return [event];
  };
  const finish = (run_id: string, interruptIds?: readonly string[]): Event[] =>
    end(run_id, {
      type: EventType.SUBAGENT_FINISHED,
      subagentRunId: run_id,
      outcome: interruptIds ? { type: "suspended", interruptIds: [...interruptIds] } : { type: "success" },
    });
  return {
    isNested: (run_id: string): boolean => run_id !== main,
    /** The fields that say whose events those of a run are. */
    attributed: (run_id: string) => (run_id !== main && active.has(run_id) ? { subagentRunId: run_id } : {}),
    /** Announces a nested run with its first event. One that has ended is not announced again: ids are for one invocation. */
    announce(event: Nested & Named): Event[] {
      const { run_id, parent_run_id: parent, agent_name, team_name, workflow_name } = event;
      if (run_id === main || active.has(run_id) || ended.has(run_id)) return [];
      active.add(run_id);
      const isWithin = parent !== undefined && parent !== main && (active.has(parent) || ended.has(parent));
      return [
        {
          type: EventType.SUBAGENT_STARTED,
          subagentRunId: run_id,
          name: agent_name ?? team_name ?? workflow_name ?? run_id,
          ...(isWithin && { parentSubagentRunId: parent }),
        },
      ];
    },
    finish,
    fail: (run_id: string, message: string, code?: string): Event[] =>
      end(run_id, {
        type: EventType.SUBAGENT_ERROR,
        subagentRunId: run_id,
        message,
        ...(code !== undefined && { code }),
      }),
    finishAll: (): Event[] => [...active].reverse().flatMap((run_id) => finish(run_id)),
  };
}
