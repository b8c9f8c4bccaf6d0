import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";

/** A stored item in plain form. */
export type Item = Record<string, unknown>;

/** Where an item is. */
export type Key = { readonly pk: unknown; readonly sk: unknown };

/** The item of a refusal: the document client leaves those in attribute form (`{ S: … }`). */
export const refusedItem = (attributes: Record<string, AttributeValue> | undefined): Item | undefined =>
  // Numbers as everywhere: beyond 2^53 they are as exact as in any JSON.
  attributes && unmarshall(attributes, { wrapNumbers: Number });
