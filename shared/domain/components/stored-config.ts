import { ServiceError } from "../../errors.ts";
import { isObject } from "../../schemas/values/is-object.ts";
import { jsonBytes } from "./json-bytes.ts";
import { requireShallow } from "./require-shallow.ts";

type Config = Readonly<Record<string, unknown>>;

/** Room for the item's other attributes is left below what an item may hold. */
const MAX_CONFIG_BYTES = 300_000;

/**
 * A config as it is kept: of a database only the id, wherever one is named, so that no connection details or
 * secrets are stored or shown.
 *
 * @throws ServiceError PAYLOAD_TOO_LARGE, and BAD_REQUEST for one that is nested too deep
 * @source contract, components-and-platform A7, first paragraph
 */
export function storedConfig(config: Config): Record<string, unknown> {
  requireShallow("a config", config);
  const kept = withoutSecrets(config);
  const bytes = jsonBytes(kept);
  if (bytes <= MAX_CONFIG_BYTES) return kept;
  throw new ServiceError(
    "PAYLOAD_TOO_LARGE",
    `a config may hold ${MAX_CONFIG_BYTES} bytes; this one has ${bytes}`,
  );
}

function withoutSecrets(config: Config): Record<string, unknown> {
  const kept = Object.entries(config)
    .filter(([name, value]) => name !== "db" || isObject(value))
    .map(([name, value]) => [name, name === "db" && isObject(value) ? idOnly(value) : within(value)]);
  return Object.fromEntries(kept);
}

const idOnly = ({ id }: Config) => (id === undefined ? {} : { id });

function within(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(within);
  return isObject(value) ? withoutSecrets(value) : value;
}
