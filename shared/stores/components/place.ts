import type { ComponentType } from "../../schemas/components/component.ts";
import type { ComponentState } from "./component-keys.ts";

export type Place = { readonly state: ComponentState; readonly type: ComponentType };
