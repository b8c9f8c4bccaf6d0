import type { SecretPlace, ToolSecretPlaces } from "../../settings/values/tool-secrets.ts";
import { cachedValue, SECRET_CACHE_MS } from "../cached-value.ts";
import type { Clock } from "../clock.ts";
import { readSecret } from "./read-secret.ts";

/** The secrets of tools, for the functions that execute them. */
export type ToolSecrets = {
  /**
   * Values by name. A value is read when a tool first needs it, and again five minutes later: a rotated one is in use
   * everywhere by then.
   *
   * @throws Error with a text that names the secret and not its value, also when Secrets Manager fails
   */
  readonly read: (names: readonly string[]) => Promise<Readonly<Record<string, string>>>;
  /** Replaces every value that was read, wherever it occurs in texts of a JSON value, by the secret's name in brackets. */
  readonly redact: <T>(value: T) => T;
};

type Env = {
  readonly TOOL_SECRETS: ToolSecretPlaces;
  readonly TOOL_SECRET_VALUES: Readonly<Record<string, string>>;
};

type Ports = {
  readonly clock: Pick<Clock, "now">;
  /** Reads a secret of Secrets Manager by its name or ARN. */
  readonly readSecret?: (id: string) => Promise<string>;
};

/** Shorter values are in too many texts by chance. */
const MIN_REDACTED = 4;
/** Values of one secret that are redacted: the present one, and those before its last rotations. */
const MAX_VALUES = 3;

export function connectToolSecrets(
  { TOOL_SECRETS: places, TOOL_SECRET_VALUES: given }: Env,
  { clock, readSecret: read = readSecret }: Ports,
): ToolSecrets {
  const known = new Map<string, readonly string[]>();
  const texts = new Map<string, () => Promise<string>>();
  const textOf = (id: string): Promise<string> => {
    const cached = texts.get(id) ?? cachedValue(() => read(id), SECRET_CACHE_MS, clock);
    texts.set(id, cached);
    return cached();
  };
  const currentValue = async (name: string): Promise<string> => {
    const place = Object.hasOwn(places, name) ? places[name] : undefined;
    if (place) return memberOf(name, place, await textOf(place.secret));
    if (Object.hasOwn(given, name)) return given[name] ?? "";
    throw new Error("its place is not configured");
  };
  const readOne = async (name: string): Promise<readonly [string, string]> => {
    try {
      const value = await currentValue(name);
      known.set(
        name,
        [value, ...(known.get(name) ?? []).filter((one) => one !== value)].slice(0, MAX_VALUES),
      );
      return [name, value];
    } catch (error) {
      throw new Error(`The secret ${name} could not be read.`, { cause: error });
    }
  };
  return {
    read: async (names) => Object.fromEntries(await Promise.all(names.map(readOne))),
    redact: (value) => redacted(value, known),
  };
}

function memberOf(name: string, { secret, field }: SecretPlace, text: string): string {
  if (field === undefined) return text;
  const value = memberIn(text, field);
  if (typeof value === "string" && value !== "") return value;
  throw new Error(`${secret}, which holds ${name}, is no JSON object with a text in ${field}`);
}

/** The parser's own message would quote what the secret holds. */
function memberIn(text: string, field: string): unknown {
  try {
    const members: unknown = JSON.parse(text);
    return typeof members === "object" && members !== null ? Reflect.get(members, field) : undefined;
  } catch {
    return undefined;
  }
}

function redacted<T>(value: T, known: ReadonlyMap<string, readonly string[]>): T {
  if (known.size === 0) return value;
  // The longest first: a value may be part of another one.
  const forms = [...known]
    .flatMap(([name, values]) => values.flatMap((one) => formsOf(one).map((form) => [form, name] as const)))
    .sort(([a], [b]) => b.length - a.length);
  const ofText = (text: string): string =>
    forms.reduce((left, [form, name]) => left.replaceAll(form, `[${name}]`), text);
  const ofAny = (part: unknown): unknown => {
    if (typeof part === "string") return ofText(part);
    if (Array.isArray(part)) return part.map(ofAny);
    // Errors, buffers and the like are not JSON; whoever shows them makes text of them first.
    if (typeof part !== "object" || part === null || Object.getPrototypeOf(part) !== Object.prototype)
      return part;
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [ofText(key), ofAny(member)]));
  };
  return ofAny(value) as T; // of the same shape, with other texts
}

/** A value as it is, and as it stands in JSON, in an address, in base64, and in a basic authentication as the user. */
function formsOf(value: string): string[] {
  if (value.length < MIN_REDACTED) return [];
  const forms = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)];
  const encoded = [value, `${value}:`].map((text) => Buffer.from(text).toString("base64"));
  return [...new Set([...forms, ...encoded])];
}
