import { readFileSync } from "node:fs";
import * as v from "valibot";
import { keys } from "../../shared/settings/keys.ts";
import { localVariables } from "../../shared/settings/local.ts";
import type { Setting } from "../../shared/settings/setting.ts";
import { type SettingName, settingNames, settings } from "../../shared/settings/table.ts";
import type { Identity } from "../identity.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The variable of each setting that `npm start` reads, with the name of its context value. */
const settingVariables: readonly (readonly [variable: string, name: SettingName])[] = settingNames.flatMap(
  (name) => {
    const { variable, local }: Setting = settings[name];
    return variable === undefined || local === false ? [] : [[variable, name] as const];
  },
);

const plainVariables: readonly string[] = [
  ...settingVariables.map(([variable]) => variable),
  ...Object.keys(localVariables),
];

/** Every variable that `npm start` reads. */
export const knownVariables: readonly string[] = [
  ...plainVariables,
  ...Object.values(keys).flatMap(({ names }) => names),
];

/** Whether a variable is a setting, and neither a key nor a secret. */
export const isSetting = (name: string): boolean => plainVariables.includes(name);

/** What `npm start` reads instead of context values: the settings as variables. Those that mean nothing here are left out. */
export function environmentOf(given: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    settingVariables.flatMap(([variable, name]) => {
      const value = given[name];
      if (value === undefined) return [];
      const text = v.safeParse(settings[name].form.given, value);
      return [[variable, text.success ? text.output : String(value)]];
    }),
  );
}

type Values = Readonly<Record<string, string>>;

/** Of model providers, of chat platforms, of agent cards, and headers for endpoints of spans, each by the names of variables. */
export type OutsideKeys = Readonly<Record<"models" | "chats" | "cards" | "spans", Values>>;

/** The keys in the environment. They are never written to a template or a file. */
export const outsideKeys = (environment: Environment): OutsideKeys => ({
  models: valuesOf([...keys.defaultModel.names, ...keys.providers.names], environment),
  chats: valuesOf(keys.chats.names, environment),
  cards: valuesOf(keys.cards.names, environment),
  spans: valuesOf(keys.spans.names, environment),
});

const valuesOf = (names: readonly string[], environment: Environment): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const key = environment[name];
      return key ? [[name, key]] : [];
    }),
  );

/**
 * Context values of the CDK app for this machine: the local identity provider, the scripted model unless another is
 * configured, and every setting in the environment.
 */
export function appContext(identity: Identity, environment: Environment): Record<string, string> {
  const configured = settingVariables.flatMap(([variable, name]) => {
    const value = environment[variable];
    return value ? [[name, value]] : [];
  });
  return {
    stage: "local",
    model: "scripted",
    jwtIssuers: JSON.stringify([identity.issuer, ...furtherIssuers(environment)]),
    ...Object.fromEntries(configured),
  };
}

/** @source docs/interface/access.md 2.1 */
function furtherIssuers({ JWT_JWKS_FILE, JWT_VERIFICATION_KEY }: Environment): object[] {
  return [
    ...(JWT_JWKS_FILE ? [{ jwks: JSON.parse(readFileSync(JWT_JWKS_FILE, "utf8")) }] : []),
    ...(JWT_VERIFICATION_KEY ? [{ public_keys: [JWT_VERIFICATION_KEY] }] : []),
  ];
}
