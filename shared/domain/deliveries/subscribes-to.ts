import { type EventType, runEventTypes } from "../../schemas/deliveries/event-type.ts";
import type { SubscribedComponent } from "../../schemas/deliveries/webhook-endpoint.ts";

/** What an event is about, as far as endpoints choose by it. */
export type FilteredEvent = {
  readonly type: EventType;
  /** Absent for a change of something that belongs to no component. */
  readonly component?: { readonly type: SubscribedComponent["type"]; readonly id: string } | undefined;
};

/** The events that an endpoint subscribes to. */
export type Filter = {
  readonly enabled: boolean;
  readonly events: readonly EventType[];
  readonly components: readonly SubscribedComponent[];
};

/** Whether an endpoint subscribes to an event. Without types it receives those of runs, without components those of all. */
export const subscribesTo = ({ enabled, events, components }: Filter, event: FilteredEvent): boolean =>
  enabled &&
  (events.length === 0 ? runEventTypes : events).some((type) => type === event.type) &&
  (components.length === 0 ||
    components.some(
      ({ type, id }) => type === event.component?.type && (id === undefined || id === event.component.id),
    ));
