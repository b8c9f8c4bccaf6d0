import type { GivenSettings } from "../../shared/settings/table.ts";

/** Settings of a deployment, by the names of the context values. The stage is the command's. */
export type ProjectSettings = Omit<GivenSettings, "stage">;

/** What `agent-platform.config.ts` exports. */
export type ProjectConfig = {
  /** File that exports the `registry`, from the config's folder; `./registry.ts` when absent. */
  readonly registry?: string;
  /** Of every stage, and of this machine as far as they mean something there. */
  readonly settings?: ProjectSettings;
  /** Of single stages, over `settings`: `{ prod: { domainName: "agents.example.com" } }`. */
  readonly stages?: Readonly<Record<string, ProjectSettings>>;
  /**
   * Of this machine, over `settings`; variables of the environment stand over them. The model is the scripted one unless
   * `local` or `MODEL` names another, so that nothing is called and paid for by accident.
   */
  readonly local?: ProjectSettings;
};

/** Types the config. */
export const defineConfig = (config: ProjectConfig): ProjectConfig => config;
