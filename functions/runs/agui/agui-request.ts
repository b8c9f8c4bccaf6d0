import type { aguiRoutes } from "../../../shared/routes/protocols/agui.ts";
import type { RunsRequest } from "../../../shared/runs/index.ts";

/** A request of AG-UI to one component, of whichever kind. */
export type AguiRequest = RunsRequest<typeof aguiRoutes.runAgentAgui>;
