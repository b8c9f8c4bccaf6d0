/** What a project declares its agents, teams, workflows and tools with. */
export * from "../shared/engine/define/index.ts";
export { defineConfig, type ProjectConfig, type ProjectSettings } from "./config/project-config.ts";
