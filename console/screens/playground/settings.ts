import { useState } from "react";
import { isObject } from "../../pauses/values.ts";
import type { Sending } from "./chat.ts";

/** Settings of the next runs, as they are entered. */
export type Settings = {
  readonly user_id: string;
  readonly background: boolean;
  readonly session_policy: string;
  readonly session_state: string;
  readonly dependencies: string;
  readonly metadata: string;
  readonly knowledge_filters: string;
  readonly output_schema: string;
};

export const noSettings: Settings = {
  user_id: "",
  background: false,
  session_policy: "",
  session_state: "",
  dependencies: "",
  metadata: "",
  knowledge_filters: "",
  output_schema: "",
};

export const jsonSettings = [
  "session_state",
  "dependencies",
  "metadata",
  "knowledge_filters",
  "output_schema",
] as const;
export type JsonSetting = (typeof jsonSettings)[number];

/** Why a text is not what its setting takes; undefined where it is, or is empty. */
export function jsonProblem(name: JsonSetting, text: string): string | undefined {
  if (text.trim() === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    // Filters may be a list of conditions.
    if (isObject(value) || (name === "knowledge_filters" && Array.isArray(value))) return undefined;
    return "This must be a JSON object.";
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

export const hasProblem = (settings: Settings): boolean =>
  jsonSettings.some((name) => jsonProblem(name, settings[name]) !== undefined);

/** How many settings differ from none. */
export const countSet = (settings: Settings): number =>
  Object.entries(settings).filter(([, value]) => value !== "" && value !== false).length;

/** @param version  of a stored component; 0 or NaN for its live one */
export function sendingOf(settings: Settings, version: number): Sending {
  const texts = jsonSettings.flatMap((name) => {
    const text = settings[name].trim();
    return text === "" ? [] : [[name, text] as const];
  });
  return {
    ...Object.fromEntries(texts),
    ...(settings.user_id.trim() !== "" && { user_id: settings.user_id.trim() }),
    ...(settings.background && { background: true }),
    ...(settings.session_policy !== "" && {
      session_policy: settings.session_policy as NonNullable<Sending["session_policy"]>,
    }),
    ...(version > 0 && { version }),
  };
}

const kept = new Map<string, Settings>();

/** Settings of a component's runs, kept while the page is open. */
export function useSettings(key: string) {
  const [settings, set] = useState(() => kept.get(key) ?? noSettings);
  const change = (changes: Partial<Settings>) => {
    const next = { ...settings, ...changes };
    kept.set(key, next);
    set(next);
  };
  return [settings, change] as const;
}
