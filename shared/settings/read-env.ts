import * as v from "valibot";
import { settingsOfCode } from "./settings-file.ts";

type EnvSchema = v.GenericSchema<Record<string, string | undefined>, object>;

/** The variables that a function with this schema needs. What is optional in the schema is optional here too. */
export type EnvOf<S extends EnvSchema> = {
  [K in keyof v.InferInput<S>]: v.InferInput<S>[K];
};

/**
 * Reads a function's variables once, when the function starts: those of its environment, and the settings that were deployed
 * with its code. The environment wins, so that an operator can set a variable without a deployment.
 *
 * @throws Error naming every variable that is missing or malformed, before the first request is served
 */
export function readEnv<S extends EnvSchema>(
  schema: S,
  source: Record<string, string | undefined> = variablesHere(),
): v.InferOutput<S> {
  const parsed = v.safeParse(schema, source);
  if (parsed.success) return parsed.output;
  const problems = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? "environment"}: ${issue.message}`);
  throw new Error(`environment is not usable: ${problems.join("; ")}`);
}

const variablesHere = (): Record<string, string | undefined> => ({
  ...settingsOfCode(process.env.LAMBDA_TASK_ROOT),
  ...process.env,
});
