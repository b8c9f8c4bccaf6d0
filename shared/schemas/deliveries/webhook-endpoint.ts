import * as v from "valibot";
import { meaning } from "../values/described-as.ts";
import { maxChars } from "../values/max-chars.ts";
import { EventType } from "./event-type.ts";
import { ReceiverUrl } from "./receiver-url.ts";

/** Whose events an endpoint receives: its owner's, or everybody's. */
export const audiences = ["own", "everybody"] as const;
export const Audience = v.picklist(audiences);
export type Audience = v.InferOutput<typeof Audience>;

const componentTypes = ["agent", "team", "workflow"] as const;
/** A component whose events are received; without an id every component of its type. */
export const SubscribedComponent = v.strictObject({
  type: meaning(v.picklist(componentTypes), "Kind of the component"),
  id: meaning(
    v.optional(v.pipe(v.string(), v.nonEmpty(), maxChars(256))),
    "Its id; without it every component of the kind",
  ),
});
export type SubscribedComponent = v.InferOutput<typeof SubscribedComponent>;

/** A receiver of the events of many runs, as the wire shows it. */
export const WebhookEndpoint = v.object({
  id: v.string(),
  url: v.string(),
  description: v.nullable(v.string()),
  /** Its owner; null for one that was made by a credential without a subject. */
  user_id: v.nullable(v.string()),
  audience: Audience,
  /** Types that are sent; when empty, those of runs. */
  events: v.array(EventType),
  /** Components whose events are sent; all when empty. */
  components: v.array(SubscribedComponent),
  include_content: v.boolean(),
  enabled: v.boolean(),
  /** Why the platform disabled it. */
  disabled_reason: v.nullable(v.string()),
  /** Epoch seconds; since then no message was accepted. */
  failing_since: v.nullable(v.number()),
  /** Epoch seconds; until then messages carry a signature by the secret before the last rotation too. */
  previous_secret_until: v.nullable(v.number()),
  created_at: v.number(),
  updated_at: v.nullable(v.number()),
});
export type WebhookEndpoint = v.InferOutput<typeof WebhookEndpoint>;

/** `whsec_` and the key in base64, as Standard Webhooks write it. */
const secret = v.string();
/** The answers that show the secret: to its creation and to a rotation. */
export const EndpointWithSecret = v.object({ ...WebhookEndpoint.entries, secret });

const MAX_DESCRIPTION_CHARS = 500;
const MAX_COMPONENTS = 100;

const whereTo = "Where messages are sent; https, unless FETCH_ALLOWED_HOSTS names its host";
const description = v.nullable(v.pipe(v.string(), maxChars(MAX_DESCRIPTION_CHARS)));
const events = v.array(EventType);
const components = v.pipe(v.array(SubscribedComponent), v.maxLength(MAX_COMPONENTS));

export const CreateEndpointBody = v.object({
  url: meaning(ReceiverUrl, whereTo),
  description: meaning(v.optional(description, null), "What it is for"),
  audience: meaning(
    v.optional(Audience, "own"),
    "own: events of the caller's runs; everybody: of all runs, which takes an admin or the scope webhooks:everybody",
  ),
  events: meaning(v.optional(events, []), "Types that are sent; when empty, those of runs"),
  components: meaning(v.optional(components, []), "Components whose events are sent; all when empty"),
  include_content: meaning(v.optional(v.boolean(), false), "Whether messages carry the content of runs"),
  enabled: meaning(v.optional(v.boolean(), true), "Whether messages are sent"),
});
export type CreateEndpointBody = v.InferOutput<typeof CreateEndpointBody>;

export const UpdateEndpointBody = v.object({
  url: meaning(v.optional(ReceiverUrl), whereTo),
  description: meaning(v.optional(description), "What it is for"),
  events: meaning(v.optional(events), "Types that are sent; when empty, those of runs"),
  components: meaning(v.optional(components), "Components whose events are sent; all when empty"),
  include_content: meaning(v.optional(v.boolean()), "Whether messages carry the content of runs"),
  enabled: meaning(
    v.optional(v.boolean()),
    "Whether messages are sent; true also ends what disabled it, and its failures are counted anew",
  ),
});
export type UpdateEndpointBody = v.InferOutput<typeof UpdateEndpointBody>;

const MAX_OVERLAP_SECONDS = 7 * 86_400;

export const RotateSecretBody = v.object({
  overlap_seconds: meaning(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_OVERLAP_SECONDS)), 86_400),
    "How long messages are signed with the old secret too",
  ),
});

/** The key with which callbacks of a user's runs are signed. */
export const CallbackSecret = v.object({
  secret,
  previous_secret_until: v.nullable(v.number()),
});
