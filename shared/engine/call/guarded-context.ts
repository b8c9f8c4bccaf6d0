import type { Log } from "../../runtime/log.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";
import type { StateView } from "../ports/session-state.ts";

/** Values of secrets, by name. */
export type SecretValues = Readonly<Record<string, string>>;

/**
 * The secrets that a tool or a source of tools declares. Why one cannot be read is for the operator, in the log.
 *
 * @throws Error with a text for the model when one cannot be read
 */
export async function secretsFor(
  { name, secrets = [] }: { readonly name: string; readonly secrets?: readonly string[] },
  { toolSecrets, warn }: Pick<EnginePorts, "toolSecrets" | "warn">,
): Promise<SecretValues> {
  if (secrets.length === 0) return {};
  if (!toolSecrets) throw new Error(`The secret ${secrets[0]} could not be read.`);
  try {
    return await toolSecrets.read(secrets);
  } catch (error) {
    warn?.("a secret of a tool could not be read", { tool_name: name, error });
    throw error;
  }
}

/** Something without the values of secrets, which may be in what a tool gives back: it is stored, sent and shown. */
export const withoutSecrets = <T>(value: T, { toolSecrets }: Pick<EnginePorts, "toolSecrets">): T =>
  toolSecrets ? toolSecrets.redact(value) : value;

/** A change of the session's state by a tool: it is stored, and shown to users. */
export const guardedUpdate =
  (update: StateView["update"], ports: Pick<EnginePorts, "toolSecrets">): StateView["update"] =>
  (changes) =>
    update(withoutSecrets(changes, ports));

/** The log of a tool: each line has these ids, and no value of a secret. */
export function toolLog(
  ids: Readonly<Record<string, unknown>>,
  ports: Pick<EnginePorts, "toolLog" | "toolSecrets">,
): Log {
  const write =
    (level: keyof Log): Log[keyof Log] =>
    (message, fields = {}) =>
      ports.toolLog?.[level](withoutSecrets(message, ports), {
        ...withoutSecrets(plain(fields), ports),
        ...ids,
      });
  return { info: write("info"), warn: write("warn"), error: write("error") };
}

/** An error is logged by its text: its class and what hangs on it may hold anything. */
const plain = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? String(value) : value]),
  );
