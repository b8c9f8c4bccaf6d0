import { environmentOf } from "../../local/template/app-context.ts";
import type { ProjectConfig } from "./project-config.ts";

/**
 * A project's settings as the variables of this machine. What only a deployment has a use for is left out: its models answer
 * from AWS or for money, and its tools' secrets are in Secrets Manager.
 */
export function localEnvironment({ settings = {}, local = {} }: ProjectConfig): Record<string, string> {
  const { model, judgeModel, embedder, toolSecrets, ...shared } = settings;
  return environmentOf({ ...shared, ...local });
}
