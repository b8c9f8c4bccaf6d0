/** The face of this room: agents, teams and workflows, as their callers may see them. */
export { listRunnables } from "./list-runnables.ts";
export { type RunnablesDeps, showStored } from "./stored-runnables.ts";
