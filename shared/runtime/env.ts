import * as v from "valibot";

type EnvSchema = v.GenericSchema<Record<string, string | undefined>, object>;

/** The variables that a function with this schema needs. What is optional in the schema is optional here too. */
export type EnvOf<S extends EnvSchema> = {
  [K in keyof v.InferInput<S>]: v.InferInput<S>[K];
};

/**
 * Reads a function's environment once, when the function starts.
 *
 * @throws Error naming every variable that is missing or malformed, before the first request is served
 */
export function readEnv<S extends EnvSchema>(
  schema: S,
  source: Record<string, string | undefined> = process.env,
): v.InferOutput<S> {
  const parsed = v.safeParse(schema, source);
  if (parsed.success) return parsed.output;
  const problems = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? "environment"}: ${issue.message}`);
  throw new Error(`environment is not usable: ${problems.join("; ")}`);
}
