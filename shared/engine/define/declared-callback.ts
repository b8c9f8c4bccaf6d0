import type { Callback } from "../../schemas/deliveries/callback.ts";

/** A receiver that a component names: all events and no content, unless it says otherwise. */
export type DeclaredCallback = Pick<Callback, "url"> &
  Partial<Readonly<Pick<Callback, "events" | "include_content">>>;
