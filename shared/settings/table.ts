import type * as v from "valibot";
import { access } from "./rows/access.ts";
import { audit } from "./rows/audit.ts";
import { background } from "./rows/background.ts";
import { chats } from "./rows/chats.ts";
import { deployment } from "./rows/deployment.ts";
import { entrance } from "./rows/entrance.ts";
import { events } from "./rows/events.ts";
import { feedback } from "./rows/feedback.ts";
import { instance } from "./rows/instance.ts";
import { interfaceOptions } from "./rows/interface-options.ts";
import { interfaces } from "./rows/interfaces.ts";
import { knowledge } from "./rows/knowledge.ts";
import { models } from "./rows/models.ts";
import { receivers } from "./rows/receivers.ts";
import { runs } from "./rows/runs.ts";
import { storage } from "./rows/storage.ts";
import { tracing } from "./rows/tracing.ts";
import type { StageDefaults, VariableOf } from "./setting.ts";

/** Every setting by the name of its context value, in the order of the guide. Functions import the rows that they read. */
export const settings = {
  ...instance,
  ...models,
  ...access,
  ...entrance,
  ...background,
  ...interfaces,
  ...interfaceOptions,
  ...knowledge,
  ...receivers,
  ...events,
  ...tracing,
  ...feedback,
  ...chats,
  ...deployment,
  ...runs,
  ...storage,
  ...audit,
} as const;

type All = typeof settings;
export type SettingName = keyof All;

/** Names in the order of the table. */
export const settingNames = Object.keys(settings) as readonly SettingName[]; // keys of a constant table

/** What an operator may write: in a config, or as properties of the construct. */
export type GivenSettings = {
  readonly [N in SettingName]?: v.InferInput<All[N]["form"]["given"]> | undefined;
};

type Missing<N extends SettingName> = All[N] extends { readonly default: string | StageDefaults }
  ? never
  : undefined;

/** What the settings of a deployment mean. */
export type SettingValues = {
  readonly [N in SettingName]: v.InferOutput<All[N]["form"]["schema"]> | Missing<N>;
};

/** The texts of a deployment's settings by their variables, as functions read them. */
export type SettingTexts = {
  readonly [N in SettingName as VariableOf<All[N]>]: v.InferInput<All[N]["form"]["schema"]> | Missing<N>;
};
