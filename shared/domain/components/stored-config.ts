import { ServiceError } from "../../errors.ts";
import { isObject } from "../../schemas/values/json-values.ts";
import { jsonBytes } from "./json-bytes.ts";
import { requireShallow } from "./require-shallow.ts";

type Config = Readonly<Record<string, unknown>>;

/** Leaves room for the item's other attributes below the 400 KB of an item. */
const MAX_CONFIG_BYTES = 300_000;

/**
 * A config as it is stored: of every database in it only the id, so that no connection details or secrets are stored
 * or shown.
 *
 * @throws ServiceError PAYLOAD_TOO_LARGE, and BAD_REQUEST for one that is nested too deep
 */
export function storedConfig(config: Config): Record<string, unknown> {
  requireShallow("a config", config);
  const stored = withoutSecrets(config);
  const bytes = jsonBytes(stored);
  if (bytes <= MAX_CONFIG_BYTES) return stored;
  throw new ServiceError(
    "PAYLOAD_TOO_LARGE",
    `a config may hold ${MAX_CONFIG_BYTES} bytes; this one has ${bytes}`,
  );
}

function withoutSecrets(config: Config): Record<string, unknown> {
  const stored = Object.entries(config)
    .filter(([name, value]) => name !== "db" || isObject(value))
    .map(([name, value]) => [name, name === "db" && isObject(value) ? idOnly(value) : withinValue(value)]);
  return Object.fromEntries(stored);
}

const idOnly = ({ id }: Config) => (id === undefined ? {} : { id });

function withinValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withinValue);
  return isObject(value) ? withoutSecrets(value) : value;
}
