import * as v from "valibot";
import type { Item } from "../../data/item.ts";
import { audienceOf } from "../../domain/components/audience.ts";
import type { Component } from "../../schemas/components/component.ts";
import { ComponentRecord } from "../../schemas/components/component-record.ts";
import {
  audiencePartition,
  type ComponentState,
  componentKey,
  openedKey,
  typePartition,
} from "./component-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const COMPONENT_SHAPE = 1;

export const stateOf = ({ deleted_at }: Pick<Component, "deleted_at">): ComponentState =>
  deleted_at === undefined ? "living" : "archived";

/** Metadata is stored as text: an item allows 32 levels of nesting, JSON any number. */
export function componentItem(component: ComponentRecord): Item {
  const { component_id, component_type, created_at, metadata } = component;
  const state = stateOf(component);
  return {
    ...component,
    ...componentKey(component_id),
    metadata: metadata && JSON.stringify(metadata),
    audience_key: audiencePartition(state, audienceOf(component), component_type),
    type_key: typePartition(state, component_type),
    opened: openedKey(created_at, component_id),
    shape: COMPONENT_SHAPE,
  };
}

/** @throws when the item is not a component of a shape that this code reads */
export const componentFrom = ({ metadata, ...item }: Item): ComponentRecord =>
  v.parse(ComponentRecord, {
    ...item,
    ...(typeof metadata === "string" && { metadata: JSON.parse(metadata) }),
  });
