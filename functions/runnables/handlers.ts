// Generated from the route table by `npm run routes`; do not edit.
export { getAgent } from "./get-agent.ts";
export { getTeam } from "./get-team.ts";
export { getWorkflow } from "./get-workflow.ts";
export { listAgents } from "./list-agents.ts";
export { listTeams } from "./list-teams.ts";
export { listWorkflows } from "./list-workflows.ts";
