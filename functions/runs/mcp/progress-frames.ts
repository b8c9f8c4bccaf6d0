import type { EventFrames, FramedRun } from "../../../shared/runs/index.ts";
import type { RecordedEvent } from "../../../shared/schemas/runs/run-event.ts";

/**
 * Notifies the client of a call of what its run does. The stream itself carries nothing: the call is answered with the run as it
 * ends.
 *
 * @param begun  called with the run once it exists
 */
export const progressFrames =
  (progress: (message: string) => void, begun: (run: FramedRun) => void) =>
  (run: FramedRun): EventFrames => {
    begun(run);
    return {
      opening: async () => "",
      of: (event) => {
        const message = messageOf(event);
        if (message !== undefined) progress(message);
        return "";
      },
      goesOn: () => "",
      closing: async () => "",
    };
  };

/** In words; undefined for what happens too often to be sent. */
function messageOf(event: RecordedEvent): string | undefined {
  switch (event.event) {
    case "ToolCallStarted":
    case "TeamToolCallStarted":
      return `calls ${event.tool.tool_name}`;
    case "ToolCallCompleted":
    case "TeamToolCallCompleted":
      return `called ${event.tool.tool_name}`;
    case "ToolCallError":
    case "TeamToolCallError":
      return `${event.tool.tool_name} failed`;
    case "RunStarted":
      return `${event.agent_name} begins`;
    case "TeamRunStarted":
      return `${event.team_name} begins`;
    case "WorkflowStarted":
      return `${event.workflow_name} begins`;
    case "StepStarted":
      return `step ${event.step_name} begins`;
    case "StepCompleted":
      return `step ${event.step_name} is complete`;
    default:
      return undefined;
  }
}
